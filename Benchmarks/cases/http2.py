"""Requests over HTTP/2 beside a C program on libnghttp2 that answers 200 to all, and beside frames that are skipped."""
import contextlib
import json
import os
import statistics
import subprocess
import sys

from goals import RATIOS
from loads import PER_MILLION, Pushes, needsH2load
from tables import Row


@needsH2load
def http2(place, runs):
    """Many requests at once, one at a time with and without a busy neighbour, at a pace, and with large bodies."""
    orders, large = Pushes(place), Pushes(place, json.dumps({"aps": {"alert": {"title": "x" * 30, "body": "y" * 3970}}}))
    starts = {
        "limit": place.startLimit("--http2"), "nghttp2": place.startAnswering(), "apnsim": place.startSimulator(),
    }
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(server) for name, server in starts.items()}
        orders.warm(servers["apnsim"])
        atOnce = measured(servers, runs, orders, 8, 100, 400_000)
        single = measured(servers, runs, orders, 1, 1, 20_000)
        with busyNeighbour(place):
            neighboured = measured(servers, runs, orders, 1, 1, 20_000)
        paced = measured(servers, runs, orders, 8, 100, 80_000, "--rps=2000")
        full = measured(servers, runs, large, 1, 1000, 50_000)

    def row(name, found, goal=None, beside="nghttp2"):
        return Row(f"HTTP/2, {name}", PER_MILLION, beside, found[beside][0], found["apnsim"][0], goal)

    many, one = "8 connections, 100 at once", "1 connection, one at a time"
    return [
        row(many, atOnce, RATIOS["HTTP/2, 100 at once"]),
        row(many, atOnce, beside="limit"),
        row(one, single, RATIOS["HTTP/2, one at a time"]),
        row(one, single, beside="limit"),
        Row(f"HTTP/2, {one}, mean latency", "us", "nghttp2", single["nghttp2"][1], single["apnsim"][1]),
        row(f"{one}, busy neighbour", neighboured, RATIOS["HTTP/2, one at a time, busy neighbour"]),
        row("8 connections, 16,000/s", paced, RATIOS["HTTP/2, 16,000 a second"]),
        row("1 connection, 1,000 at once of 4 KB", full, RATIOS["HTTP/2, bodies of 4 KB"]),
    ]


def measured(servers, runs, pushes, *shape):
    """By server, the medians of CPU time and latency, taken in turns."""
    found = {name: [] for name in servers}
    for _ in range(runs):
        for name, server in servers.items():
            found[name].append(pushes.measure(server, *shape))
    return {name: [statistics.median(figures) for figures in zip(*all)] for name, all in found.items()}


@contextlib.contextmanager
def busyNeighbour(place):
    """The client's core never sleeps, but gives way at once: waking the client costs the server little."""
    def giveWay():
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        if place.clientCore is not None:
            os.sched_setaffinity(0, {place.clientCore})

    with subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=giveWay) as neighbour:
        try:
            yield
        finally:
            neighbour.kill()
