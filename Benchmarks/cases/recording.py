"""Recordings: what writing one adds, and their replay without a network."""
import contextlib
import os
import resource

from goals import RATIOS
from loads import PER_MILLION, Pushes, alternate, needsH2load, stream, warm
from tables import Row


def record(place, runs):
    """The recording of notifications."""
    with recordingBeside(place) as (without, recording):
        for server in [without, recording]:
            warm(place, server)
        found = alternate(
            min(runs, 3),
            without=lambda: stream(place, without, 8, 100),
            recording=lambda: stream(place, recording, 8, 100),
        )
    goal = RATIOS["binary, --record"]
    return [Row("--record, 100 per record", PER_MILLION, "without", found["without"], found["recording"], goal)]


@needsH2load
def http2_record(place, runs):
    """The recording of requests."""
    pushes = Pushes(place)
    with recordingBeside(place) as (without, recording):
        for server in [without, recording]:
            pushes.warm(server)
        found = alternate(
            min(runs, 3), without=lambda: pushes.push(without), recording=lambda: pushes.push(recording)
        )
    case, goal = "HTTP/2, --record, 8 connections, 100 at once", RATIOS["HTTP/2, --record"]
    return [Row(case, PER_MILLION, "without", found["without"], found["recording"], goal)]


def offline(place, runs):
    """Replay of a recording without a network, beside what the gateway takes without TLS: apnsim less the limit. The
    gateway has been running for a while; the recording is long, so that the replay's start is as small a part of it."""
    count = 3_000_000
    with journal(place) as path:
        with place.startSimulator("--record", path) as recording:
            for _ in range(2):
                stream(place, recording, 8, 100, total=count // 2)
        with place.startLimit() as limit, place.startSimulator() as apnsim:
            warm(place, apnsim)
            found = alternate(
                min(runs, 3),
                limit=lambda: stream(place, limit, 8, 100),
                apnsim=lambda: stream(place, apnsim, 8, 100),
                replay=lambda: replay(place, path, count),
            )
    gateway, goal = found["apnsim"] - found["limit"], RATIOS["binary, offline replay"]
    return [Row("offline replay", PER_MILLION, "gateway without TLS", gateway, found["replay"], goal)]


@needsH2load
def http2_offline(place, runs):
    """Replay of a recording of requests without a network, beside what the recording server took for them."""
    count = 200_000
    with journal(place) as path:
        with place.startSimulator("--record", path) as recording:
            cost = Pushes(place).push(recording, count)
        found = alternate(min(runs, 3), replay=lambda: replay(place, path, count))
    goal = RATIOS["HTTP/2, offline replay"]
    return [Row("HTTP/2, offline replay", PER_MILLION, "recording", cost, found["replay"], goal)]


def replay(place, path, count):
    """The CPU time of a replay for each of so many notifications, in microseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    place.run([place.apnsim, "replay", path, "--offline", "--quiet"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6


@contextlib.contextmanager
def recordingBeside(place):
    """A simulator that does not record, and one that does."""
    with journal(place) as path, place.startSimulator() as without, place.startSimulator("--record", path) as recording:
        yield without, recording


@contextlib.contextmanager
def journal(place):
    """A file for a recording, for as long as it is needed: recordings are large."""
    path = os.path.join(place.scratch, "journal.jsonl")
    try:
        yield path
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
