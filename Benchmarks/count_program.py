#!/usr/bin/env python3
"""Counts the instructions of the whole program for a notification, TLS and all, beside the goals (Benchmarks/README.md).

The program runs under callgrind, once with N notifications and once with 2 N: the difference is what N cost, apart from the
start and the handshakes. What the kernel does is not in it. It repeats to about one in a hundred.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from bench import HERE, compile
from goals import INSTRUCTIONS
from loads import Pushes
from servers import Place
from tables import Row, table

# Options of further output whose cost is counted; FRESH is a path where nothing is yet.
OPTIONS = {"--record": ["--record", "FRESH.jsonl"], "--state": ["--state", "FRESH"]}
# Fewer devices than notifications: each has come before the second half begins.
DEVICES = 500


class Counted:
    """A program whose servers run under callgrind."""

    def __init__(self, apnsim, scratch):
        self.scratch = scratch
        self.profile = os.path.join(scratch, "profile")
        self.place = Place(apnsim, scratch, scratch)
        self.place.prepare()
        self.pushes = Pushes(self.place, devices=DEVICES)
        # Valgrind need not be able to read what debuggers need.
        stripped, wrapper = os.path.join(scratch, "apnsim"), os.path.join(scratch, "counted")
        subprocess.run(["objcopy", "--strip-debug", apnsim, stripped], check=True)
        command = ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={self.profile}", stripped]
        with open(wrapper, "w") as file:
            file.write(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        os.chmod(wrapper, 0o755)
        self.place.apnsim = wrapper

    def start(self):
        """The instructions until a server is ready."""
        with self.place.startSimulator() as server:
            subprocess.run(["callgrind_control", "--dump", str(server.pid)], capture_output=True, check=True)
            return takeTotal(f"{self.profile}.1")

    def each(self, load, count, *flags):
        """The instructions for one of the notifications of a load."""
        return (self.run(load, 2 * count, flags) - self.run(load, count, flags)) / count

    def run(self, load, count, flags):
        """The instructions of a server from its start to its end, with a load in between."""
        fresh = os.path.join(tempfile.mkdtemp(dir=self.scratch), "fresh")
        # Reads do not depend on time.
        with self.place.startSimulator("--read-delay", "0", *(flag.replace("FRESH", fresh) for flag in flags)) as server:
            load(server, count)
        return takeTotal(self.profile)

    def frames(self, perRecord):
        """The load of frames, by how many a record has; without errors, whose cost depends on who meets them first."""
        return lambda server, count: self.place.load(
            "stream", server.gateway, "--connections", 8, "--frames", perRecord, "--records", 16, "--total", count,
            "--devices", DEVICES, "--end", "close",
        )

    def requests(self, connections, streams):
        """The load of requests, by how many there are at once."""
        return lambda server, count: self.pushes.measure(server, connections, streams, count)


def takeTotal(profile):
    """The instructions of a profile, which the next one takes the place of."""
    with open(profile) as file:
        found = int(re.search(r"^totals: (\d+)$", file.read(), re.MULTILINE)[1])
    os.remove(profile)
    return found


def rows(counted):
    """Each figure, once it is there."""
    def row(name, figure):
        return Row(name, "instructions", "", None, figure, INSTRUCTIONS.get(name))

    yield row("start", counted.start())
    yield row("notification, 1 per record", counted.each(counted.frames(1), 10_000))
    loads = {"notification": (counted.frames(100), 20_000)}
    if shutil.which("h2load"):
        yield row("request, one at a time", counted.each(counted.requests(1, 1), 2_000))
        loads["request"] = (counted.requests(8, 100), 8_000)
    for kind, (load, count) in loads.items():
        each = counted.each(load, count)
        yield row("notification, 100 per record" if kind == "notification" else kind, each)
        for option, flags in OPTIONS.items():
            yield row(f"{kind}, more with {option}", counted.each(load, count, *flags) - each)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--apnsim", default=os.path.join(HERE, "..", ".build", "release", "apnsim"))
    options = parser.parse_args()
    if not os.path.exists(options.apnsim):
        raise SystemExit(f"count-program: {options.apnsim} is not there: make release")
    with tempfile.TemporaryDirectory(prefix="apnsim-count-") as scratch:
        compile(scratch)
        print(table(list(rows(Counted(os.path.abspath(options.apnsim), scratch)))))


if __name__ == "__main__":
    main()
