"""The binary interface: the gateway, and the feedback service."""
import itertools
import statistics

from goals import RATIOS
from loads import PER_MILLION, alternate, stream, warm
from tables import Row


def binary(place, runs):
    """Runs of both lengths over 8 connections, each of which ends by an error: what comes then, comes after errors."""
    rows = []
    with place.startLimit() as limit, place.startSimulator() as apnsim:
        warm(place, apnsim)
        for total, times in [(400_000, runs), (3_000_000, min(runs, 3))]:
            for frames in [1, 10, 100]:
                found = alternate(
                    times,
                    limit=lambda: stream(place, limit, 8, frames, total=total),
                    apnsim=lambda: stream(place, apnsim, 8, frames, total=total),
                )
                case = f"binary, {frames} per record, runs of {total:,}"
                goal = RATIOS[f"binary, {frames} per record"]
                rows.append(Row(case, PER_MILLION, "limit", found["limit"], found["apnsim"], goal))
    return rows


def connections(place, runs):
    """One connection, and many."""
    rows = []
    with place.startLimit() as limit, place.startSimulator() as apnsim:
        warm(place, apnsim)
        for count, frames in itertools.product([1, 64], [1, 100]):
            found = alternate(
                runs,
                limit=lambda: stream(place, limit, count, frames, total=400_000),
                apnsim=lambda: stream(place, apnsim, count, frames, total=400_000),
            )
            case = f"{count} connection{'s' * (count > 1)}, {frames} per record"
            rows.append(Row(case, PER_MILLION, "limit", found["limit"], found["apnsim"]))
    return rows


def after_error(place, runs):
    """The same connections come again after an error, beside a server whose connections all close without one. Either
    with the numbers that they had, to the same devices, or with numbers and to devices that never came."""
    total, rounds = 40_000, 5
    # After the numbers of everything else.
    unused = itertools.count(1_000_000, total)

    def again(server, end):
        return stream(place, server, 8, 100, "--end", end, total=total)

    def never(server, end):
        flags = ["--end", end, "--after", next(unused), "--order", "each", "--devices", 1 << 40]
        return stream(place, server, 8, 100, *flags, total=total)

    rows = []
    with place.startSimulator() as calm, place.startSimulator() as erring:
        ends = {calm: "close", erring: "error"}
        for server, end in ends.items():
            warm(place, server, "--end", end)
        for name, load in [("identifiers repeat", again), ("identifiers and tokens never repeat", never)]:

            def cost(server):
                return statistics.mean(load(server, ends[server]) for _ in range(rounds))

            found = alternate(min(runs, 3), before=lambda: cost(calm), after=lambda: cost(erring))
            goal = RATIOS["binary, after an error"]
            rows.append(
                Row(f"after an error, {name}", PER_MILLION, "without an error", found["before"], found["after"], goal)
            )
    return rows


def paced(place, runs):
    """One frame a write: what the server gets through, where the kernel's wake-ups are the limit."""
    def throughput(server):
        result = place.load("stream", server.gateway, "--frames", 1, "--records", 1, "--total", 300_000)
        return result["notifications"] / result["seconds"] / 1000

    with place.startLimit() as limit, place.startSimulator() as apnsim:
        warm(place, apnsim)
        found = alternate(runs, limit=lambda: throughput(limit), apnsim=lambda: throughput(apnsim))
    goal = RATIOS["binary, one per write"]
    return [Row("paced, 1 connection, 1 per write", "thousand/s", "limit", found["limit"], found["apnsim"], goal)]


def latency(place, runs):
    """A bad frame on an idle connection."""
    found = {}
    with place.startLimit() as limit, place.startSimulator() as apnsim:
        for name, server in [("limit", limit), ("apnsim", apnsim)] * runs:
            result = place.load("latency", server.gateway, "--total", 300)
            found.setdefault(name, []).append(result)

    def row(key):
        limit, apnsim = (statistics.median(result[key] for result in found[name]) for name in ["limit", "apnsim"])
        case = f"bad frame to error packet, {key}"
        return Row(case, "us", "limit", limit, apnsim, RATIOS[case])

    return [row("median"), row("p99")]


def feedback(place, runs):
    """A list of a million tuples, beside the same bytes in full records from memory; by the server's CPU."""
    count = 1_000_000
    with place.startLimit("--feedback", str(count)) as limit, place.startSimulator("--feedback-keep") as apnsim:
        flags = ["--devices", count, "--tokens", "uninstalled", "--order", "each"]
        stream(place, apnsim, 1, 100, *flags, total=count)

        def read(server):
            result = place.load("feedback", server.feedback, "--total", 3, pid=server.pid)
            if result["notifications"] != 3 * count:
                raise SystemExit(f"bench: {result['notifications']} tuples came, expected {3 * count}")
            return result["notifications"] / result["serverSeconds"] / 1e6

        found = alternate(runs, limit=lambda: read(limit), apnsim=lambda: read(apnsim))
    goal = RATIOS["feedback"]
    return [Row("feedback, 1,000,000 tuples", "million/CPU-s", "limit", found["limit"], found["apnsim"], goal)]
