"""A state that outlives the process (--state)."""
import contextlib
import json
import os
import shutil
import statistics
import tempfile
import time
import urllib.error
import urllib.request

from goals import FIGURES, RATIOS
from loads import PER_MILLION, Pushes, ask, stream, warm
from tables import Row


def state(place, runs):
    """What a state that outlives the process adds to each notification: the log, its segments and their syncs."""
    def rows(case, load, goal=None):
        pairs = []
        for _ in range(runs):
            each = []
            for server in [without, kept]:
                began = loopSeconds(server.pid)
                cost, count = load(server)
                each.append((cost, (loopSeconds(server.pid) - began) / count * 1e6))
            pairs.append(each)
        before, after = (statistics.median(each[place][0] for each in pairs) for place in [0, 1])
        more, loop = (statistics.median(kept[kind] - without[kind] for without, kept in pairs) for kind in [0, 1])
        return [
            Row(case, PER_MILLION, "without", before, after, goal),
            Row(f"{case}, more", "CPU-us each", "", None, more, FIGURES["--state, more"]),
            Row(f"{case}, of it on the event loop", "CPU-us each", "", None, loop),
        ]

    found, total, count = [], 1_600_000, 200_000
    with withAndWithoutState(place) as (without, kept):
        for server in [without, kept]:
            warm(place, server)
        for frames in [10, 100]:
            found += rows(
                f"--state, 8 connections, {frames} per record",
                lambda server: (stream(place, server, 8, frames, total=total), total),
                RATIOS["binary, --state"] if frames == 100 else None,
            )
    if shutil.which("h2load"):
        pushes = Pushes(place)
        with withAndWithoutState(place) as (without, kept):
            for server in [without, kept]:
                pushes.warm(server)
            found += rows(
                "HTTP/2, --state, 8 connections, 100 at once",
                lambda server: (pushes.push(server, count), count),
            )
    return found


def state_million(place, runs):
    """How long a snapshot of a million devices stops the simulator, a notification waiting on a tenth of them and the
    history full, and how long a start takes with it, alone and with a log of 256 MiB after it after a kill."""
    with folderOfState(place) as folder:
        # No snapshot is taken by itself.
        flags = ["--state", folder, "--state-log", "2GiB"]
        first, *further = snapshots(place, flags, runs)
        whole = statistics.median(startWithMillion(place, flags) for _ in range(runs))
        leaveLog(place, flags)
        tailed = statistics.median(startWithMillion(place, flags, end=kill) for _ in range(runs))

    pause, duration = (statistics.median(each[name] for each in further) for name in ["pauseMilliseconds", "milliseconds"])
    pauses = FIGURES["snapshot of a million devices, pause"]
    return [
        Row("1,000,000 devices, first snapshot, pause", "ms", "", None, first["pauseMilliseconds"], pauses),
        Row("its further snapshots, pause", "ms", "", None, pause, pauses),
        Row("until they are on the disk", "ms", "", None, duration),
        Row("their size", "MB", "", None, further[-1]["bytes"] / 1e6, FIGURES["snapshot of a million devices, size"]),
        Row("start from a snapshot of it to ready", "ms", "", None, whole, FIGURES["start from a million devices"]),
        Row("the same after a kill, 256 MiB of log after it", "ms", "", None, tailed, FIGURES["start after a kill"]),
    ]


DEVICES, STORED, LOG = 1_000_000, 100_000, 256 << 20


def push(place, server, count, tokens="ordinary", order="random"):
    devices = STORED if tokens == "offline" else DEVICES - STORED
    flags = ["--tokens", tokens, "--devices", devices, "--order", order]
    stream(place, server, 1, 100, *flags, total=count)


def snapshot(server):
    return json.loads(ask(server, "POST", "/state/snapshot"))


def snapshots(place, flags, runs):
    """What the simulator says of the first snapshot, and of so many more, each of another state than the one before."""
    with place.startSimulator(*flags) as apnsim:
        push(place, apnsim, STORED, "offline", "each")
        push(place, apnsim, DEVICES - STORED, order="each")
        found = [snapshot(apnsim)]
        for _ in range(runs):
            push(place, apnsim, 10_000)
            found.append(snapshot(apnsim))
    return found


def leaveLog(place, flags):
    """A snapshot with so much log after it, of a simulator that was killed."""
    with place.startSimulator(*flags) as apnsim:
        snapshot(apnsim)
        while json.loads(ask(apnsim, "GET", "/state"))["log"]["bytes"] < LOG:
            push(place, apnsim, 100_000)
        kill(apnsim)


def startWithMillion(place, flags, end=lambda server: None):
    """Milliseconds from the start of the process until it is ready, with all that was there."""
    with place.startSimulator(*flags) as apnsim:
        while not isReady(apnsim):
            time.sleep(0.001)
        passed = (time.monotonic() - apnsim.began) * 1000
        metrics = ask(apnsim, "GET", "/metrics")
        for name, count in [("devices", DEVICES), ("notifications_stored", STORED), ("notifications_kept", 100_000)]:
            if f"apnsim_{name} {count}\n".encode() not in metrics:
                raise SystemExit(f"bench: expected apnsim_{name} {count} of a restored state")
        end(apnsim)
    return passed


def kill(server):
    server.process.kill()
    server.process.wait()


@contextlib.contextmanager
def withAndWithoutState(place):
    with folderOfState(place) as folder, place.startSimulator() as without, place.startSimulator("--state", folder) as kept:
        yield without, kept


@contextlib.contextmanager
def folderOfState(place):
    """A directory for a state, for as long as it is needed: logs are large."""
    folder = tempfile.mkdtemp(prefix="state-", dir=place.scratch)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def isReady(server):
    """What /readyz says."""
    try:
        with urllib.request.urlopen(f"{server.control}/readyz", timeout=60) as answer:
            return answer.status == 200
    except urllib.error.HTTPError:
        return False


def loopSeconds(pid):
    """The CPU time of its event loops, handshakes included."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        # Other threads come and go.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{pid}/task/{task}/comm") as name, open(f"/proc/{pid}/task/{task}/schedstat") as times:
                if name.read().startswith("NIO-ELT"):
                    total += int(times.read().split()[0])
    return total / 1e9
