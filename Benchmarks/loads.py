"""The loads that the cases put on a server, and what it takes for each notification."""
import functools
import json
import os
import shutil
import statistics
import time
import urllib.request

PER_MILLION = "CPU-s per million"

# Records of one write, by frames per record.
RECORDS = {1: 64, 10: 32, 100: 16}

# The body of each request, as a file for h2load.
ORDER = (
    '{"aps":{"alert":{"title":"Order","body":"Your order 17 has been shipped today"},"badge":3,"sound":"default"},'
    '"order":17,"url":"https://example.com/orders/17"}'
)


def stream(place, server, connections, frames, *flags, total=1_600_000):
    """Notifications over the binary interface; the CPU time of the server for one, in microseconds."""
    result = place.load(
        "stream", server.gateway, "--connections", connections, "--frames", frames, "--records", RECORDS[frames],
        "--total", total, *flags, pid=server.pid,
    )
    return result["serverSeconds"] / result["notifications"] * 1e6


def warm(place, server, *flags):
    """Makes the devices, fills the history."""
    stream(place, server, 4, 100, *flags)


class Pushes:
    """Requests to some devices, with a provider token in full each time, and what a server takes for one."""

    def __init__(self, place, body=ORDER, devices=10_000):
        self.place = place
        files = [os.path.join(place.scratch, name) for name in [f"body{len(body)}", "paths"]]
        paths = "".join(f"/3/device/{number:064x}\n" for number in range(1, devices + 1))
        for path, text in zip(files, [body, paths]):
            with open(path, "w") as file:
                file.write(text)
        token = place.run([place.apnsim, "certs", "jwt", "--certs", place.certs]).strip()
        headers = [
            f"authorization: bearer {token}", f"apns-topic: {place.topics[0]}", "apns-push-type: alert",
            "apns-expiration: 0", "apns-priority: 10",
        ]
        self.flags = [f"--data={files[0]}", f"--input-file={files[1]}", *(f"--header={header}" for header in headers)]

    def measure(self, server, connections, streams, count, *flags):
        """The CPU time of the server for one request, and the mean time to an answer, in microseconds."""
        before = cpuSeconds(server.pid)
        latency = self.place.h2load(
            server.http2, *self.flags, f"--requests={count}", f"--clients={connections}",
            f"--max-concurrent-streams={streams}", *flags,
        )
        return (cpuSeconds(server.pid) - before) / count * 1e6, latency

    def push(self, server, count=200_000):
        """The CPU time for one of so many requests, 100 at once on each of 8 connections."""
        return self.measure(server, 8, 100, count)[0]

    def warm(self, server):
        """Makes the devices, fills the history."""
        self.push(server, 120_000)


def needsH2load(case):
    """The case gives no rows where h2load is missing."""
    return functools.wraps(case)(lambda place, runs: case(place, runs) if shutil.which("h2load") else [])


def alternate(runs, **measures):
    """The median of each measure, taken in turns."""
    found = {name: [] for name in measures}
    for _ in range(runs):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: statistics.median(values) for name, values in found.items()}


def cpuSeconds(pid):
    """The CPU time of a process, threads that ended included, to the nanosecond."""
    # The number of its clock, as clock_getcpuclockid(3) gives it.
    return time.clock_gettime(~pid << 3 | 2)


def ask(server, method, path, body=None):
    """One request to the control API."""
    request = urllib.request.Request(
        f"{server.control}/api/v1{path}", None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"}, method=method,
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()
