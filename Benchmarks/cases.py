"""What is measured: each case alternates the servers that it compares and gives rows for the table."""
import contextlib
import http.client
import json
import os
import resource
import shutil
import socket
import ssl
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

# The bytes that the claims of staying power send are those of the benchmarks, too.
# And the browser is that of the page's tests.
for folder in ["Soak", "Page"]:
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", folder))
import chromium
import http2_provider as requests

PER_MILLION = "CPU-s per million"


@dataclass
class Row:
    case: str
    unit: str
    # What apnsim is compared with, and that one's figure; none where the figure itself has a bound.
    beside: str
    limit: float | None
    apnsim: float
    # At most (or at least) this, of the ratio or, without a limit, of the figure.
    bound: float | None = None
    isAtLeast: bool = False

    @property
    def ratio(self):
        return self.apnsim / self.limit if self.limit else None

    @property
    def target(self):
        return "" if self.bound is None else f"{'>=' if self.isAtLeast else '<='} {self.bound:g}"

    @property
    def verdict(self):
        if self.bound is None:
            return ""
        value = self.apnsim if self.limit is None else self.ratio
        return "met" if (value >= self.bound if self.isAtLeast else value <= self.bound) else "missed"


# How a saturated run is cut: records of one write and notifications in all, by frames per record. All of it is kept
# as ciphertext, so the total is also a bound on memory (about 250 MB).
SHAPES = {1: (64, 1_000_000), 10: (32, 1_500_000), 100: (16, 1_600_000)}


def stream(place, server, connections, frames, *flags, share=1):
    records, total = SHAPES[frames]
    total //= share
    result = place.load(
        "stream", server.gateway, "--connections", connections, "--frames", frames, "--records", records,
        "--total", total, *flags, pid=server.pid,
    )
    return result["serverSeconds"] / result["notifications"] * 1e6


def warm(place, server):
    """Makes the devices, fills the history."""
    stream(place, server, 4, 100)


def alternate(runs, **measures):
    """The median of each measure, taken in turns."""
    found = {name: [] for name in measures}
    for _ in range(runs):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: statistics.median(values) for name, values in found.items()}


def saturated(place, runs):
    targets = {(8, 1): 1.5, (8, 10): 3.0, (8, 100): 3.0}
    rows = []
    with place.startLimit() as limit, place.startSimulator() as apnsim:
        warm(place, apnsim)
        for connections in [1, 8, 64]:
            for frames in [1, 10, 100]:
                found = alternate(
                    runs,
                    limit=lambda: stream(place, limit, connections, frames),
                    apnsim=lambda: stream(place, apnsim, connections, frames),
                )
                name = f"saturated, {connections} connection{'s' * (connections > 1)}, {frames} per record"
                bound = targets.get((connections, frames))
                rows.append(Row(name, PER_MILLION, "limit", found["limit"], found["apnsim"], bound))
    return rows


def paced(place, runs):
    """One frame a write: what the server gets through, where the kernel's wake-ups are the limit."""
    def throughput(server):
        result = place.load(
            "stream", server.gateway, "--frames", 1, "--records", 1, "--total", 300_000, pid=server.pid
        )
        return result["notifications"] / result["seconds"] / 1000

    with place.startLimit() as limit, place.startSimulator() as apnsim:
        warm(place, apnsim)
        found = alternate(runs, limit=lambda: throughput(limit), apnsim=lambda: throughput(apnsim))
    return [
        Row("paced, 1 connection, 1 per write", "thousand/s", "limit", found["limit"], found["apnsim"], 2.5, True)
    ]


def latency(place, runs):
    found = {}
    with place.startLimit() as limit, place.startSimulator() as apnsim:
        for name, server in [("limit", limit), ("apnsim", apnsim)] * runs:
            result = place.load("latency", server.gateway, "--total", 300)
            found.setdefault(name, []).append(result)

    def row(key, bound):
        limit, apnsim = (statistics.median(result[key] for result in found[name]) for name in ["limit", "apnsim"])
        return Row(f"bad frame to error packet, {key}", "us", "limit", limit, apnsim, bound)

    return [row("median", 1.3), row("p99", 2.0)]


class Pushes:
    """Requests to 10,000 devices, with a provider token in full each time, and what a server takes for one."""

    def __init__(self, place, alert=67):
        self.place = place
        body, paths = (os.path.join(place.scratch, name) for name in [f"body{alert}", "paths"])
        aps = {"alert": {"title": "x" * 30, "body": "y" * (alert - 30)}, "badge": 1}
        with open(body, "w") as file:
            file.write(json.dumps({"aps": aps}, separators=(",", ":")))
        with open(paths, "w") as file:
            file.writelines(f"/3/device/{number:064x}\n" for number in range(1, 10_001))
        token = place.run([place.apnsim, "certs", "jwt", "--certs", place.certs]).strip()
        headers = [
            f"authorization: bearer {token}", f"apns-topic: {place.topics[0]}", "apns-push-type: alert",
            "apns-expiration: 0", "apns-priority: 10",
        ]
        self.flags = [f"--data={body}", f"--input-file={paths}", *(f"--header={header}" for header in headers)]

    def push(self, server, connections, streams, count, *flags):
        """The CPU time of the server for one request, and the mean time to an answer, in microseconds."""
        before = cpuSeconds(server.pid)
        latency = self.place.h2load(
            server.http2, *self.flags, f"--requests={count}", f"--clients={connections}",
            f"--max-concurrent-streams={streams}", *flags,
        )
        return (cpuSeconds(server.pid) - before) / count * 1e6, latency


def http2(place, runs):
    """Requests over HTTP/2 beside a C program on libnghttp2 that answers 200 to all, and beside frames that are skipped."""
    if not shutil.which("h2load"):
        return []
    pushes, large = Pushes(place), Pushes(place, alert=4000)
    shapes = [
        ("8 connections, 100 at once", pushes, 0.6, (8, 100, 400_000)),
        ("1 connection, one at a time", pushes, 1.15, (1, 1, 20_000)),
        ("8 connections, 16,000/s", pushes, 0.75, (8, 100, 80_000, "--rps=2000")),
        ("1 connection, 1,000 at once of 4 KB", large, 1.3, (1, 1000, 50_000)),
    ]
    rows = []
    servers = [place.startLimit("--http2"), place.startAnswering(), place.startSimulator()]
    with contextlib.ExitStack() as stack:
        limit, answering, apnsim = (stack.enter_context(server) for server in servers)
        pushes.push(apnsim, 8, 100, 200_000)
        for name, kind, bound, shape in shapes:
            latencies = {"answering": [], "apnsim": []}

            def cost(role, server):
                cpu, latency = kind.push(server, *shape)
                latencies.setdefault(role, []).append(latency)
                return cpu

            found = alternate(
                runs,
                limit=lambda: cost("limit", limit),
                answering=lambda: cost("answering", answering),
                apnsim=lambda: cost("apnsim", apnsim),
            )
            case = f"HTTP/2, {name}"
            rows.append(Row(case, PER_MILLION, "nghttp2", found["answering"], found["apnsim"], bound))
            if shape[:2] == (8, 100) and len(shape) == 3:
                rows.append(Row(case, PER_MILLION, "limit", found["limit"], found["apnsim"]))
            if shape[1] == 1:
                mean = {role: statistics.median(latencies[role]) for role in ["answering", "apnsim"]}
                rows.append(Row(f"{case}, mean latency", "us", "nghttp2", mean["answering"], mean["apnsim"]))
    return rows


def http2_record(place, runs):
    """The recording of requests."""
    if not shutil.which("h2load"):
        return []
    pushes = Pushes(place)
    journal = os.path.join(place.scratch, "requests.jsonl")
    try:
        with place.startSimulator() as without, place.startSimulator("--record", journal) as recording:
            for server in [without, recording]:
                pushes.push(server, 8, 100, 100_000)
            found = alternate(
                min(runs, 3),
                without=lambda: pushes.push(without, 8, 100, 200_000)[0],
                recording=lambda: pushes.push(recording, 8, 100, 200_000)[0],
            )
    finally:
        if os.path.exists(journal):
            os.remove(journal)
    return [
        Row("HTTP/2, --record, 8 connections, 100 at once", PER_MILLION, "without", found["without"], found["recording"], 1.6)
    ]


def http2_offline(place, runs):
    """Replay of a recording of requests without a network, beside what the recording server took for them."""
    if not shutil.which("h2load"):
        return []
    pushes, count = Pushes(place), 200_000
    journal = os.path.join(place.scratch, "requests.jsonl")
    with place.startSimulator("--record", journal) as recording:
        cost = pushes.push(recording, 8, 100, count)[0]

    def replay():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        place.run([place.apnsim, "replay", journal, "--offline", "--quiet"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6

    found = alternate(min(runs, 3), replay=replay)
    os.remove(journal)
    return [Row("HTTP/2, offline replay", PER_MILLION, "recording", cost, found["replay"], 1.2)]


def http2_mocks(place, runs):
    """Mocks as people write them, on Node's http2 and on Python's h2; those whose libraries are not there are left out."""
    if not shutil.which("h2load"):
        return []
    pushes, rows = Pushes(place), []
    with place.startSimulator() as apnsim:
        pushes.push(apnsim, 8, 100, 100_000)
        for name, mock, count, bound in [("Node", place.startNodeMock(), 40_000, 15), ("Python", place.startPythonMock(), 5_000, 100)]:
            if not mock:
                continue
            with mock:
                found = alternate(
                    min(runs, 3),
                    mock=lambda: pushes.push(mock, 8, 100, count)[0],
                    apnsim=lambda: pushes.push(apnsim, 8, 100, 100_000)[0],
                )
            rows.append(
                Row(f"HTTP/2, {name} mock, 8 connections, 100 at once", PER_MILLION, "mock", found["mock"], found["apnsim"], 1 / bound)
            )
    return rows


def http2_watched(place, runs):
    """Fifty rules that do not match, and a reader of every event with a wait open; each beside the same without."""
    if not shutil.which("h2load"):
        return []
    pushes, shape = Pushes(place), (8, 100, 200_000)
    with place.startSimulator() as without, place.startSimulator("--scenario", scriptOfRules(place)) as scripted:
        for server in [without, scripted]:
            pushes.push(server, 8, 100, 100_000)
        ask(without, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def watched():
            with observers(without):
                return pushes.push(without, *shape)[0]

        found = alternate(
            min(runs, 3),
            without=lambda: pushes.push(without, *shape)[0],
            scripted=lambda: pushes.push(scripted, *shape)[0],
            watched=watched,
        )
    return [
        Row("HTTP/2, 50 rules that do not match", PER_MILLION, "without", found["without"], found["scripted"], 1.3),
        Row("HTTP/2, one event stream and one wait open", PER_MILLION, "without", found["without"], found["watched"], 1.1),
    ]


def http2_idle(place, runs):
    """What a connection of requests holds once it is idle: after one request, and after a hundred at once."""
    count, atOnce = 500, 100
    context = ssl.create_default_context(cafile=place.authority)
    context.load_cert_chain(place.file(f"{place.topics[0]}.pem"), place.file(f"{place.topics[0]}.key"))
    context.set_alpn_protocols(["h2"])

    def connect(port):
        connection = context.wrap_socket(socket.create_connection(("localhost", port)), server_hostname="localhost")
        connection.sendall(requests.BEGINNING)
        return connection

    def push(connection, first, number):
        block = requests.PSEUDO + b"".join(
            requests.field(name, value)
            for name, value in [(":path", f"/3/device/{7:064x}"), ("apns-topic", place.topics[0]), ("apns-push-type", "alert")]
        )
        streams = range(first, first + 2 * number, 2)
        connection.sendall(b"".join(
            requests.frame(requests.HEADERS, requests.END_HEADERS, stream, block)
            + requests.frame(requests.DATA, requests.END_STREAM, stream, b'{"aps":{"alert":"Hello"}}')
            for stream in streams
        ))
        read, waiting = b"", set(streams)
        while waiting:
            read += connection.recv(65536)
            waiting -= {stream for kind, _, stream, _ in requests.frames(read) if kind == requests.HEADERS}

    with place.startSimulator("--keep", "1000") as apnsim, contextlib.ExitStack() as stack:
        for _ in range(2):
            with connect(apnsim.http2) as connection:
                push(connection, 1, 1)
                push(connection, 3, atOnce)
        before = apnsim.residentBytes
        connections = [stack.enter_context(connect(apnsim.http2)) for _ in range(count)]
        each = []
        for first, number in [(1, 1), (3, atOnce)]:
            for connection in connections:
                push(connection, first, number)
            each.append((apnsim.residentBytes - before) / 1024 / count)
    return [
        Row("HTTP/2, idle connection after a request", "KiB resident", "", None, each[0], 24),
        Row(f"HTTP/2, idle connection after {atOnce} at once", "KiB resident", "", None, each[1], 50),
    ]


def record(place, runs):
    journal = os.path.join(place.scratch, "journal.jsonl")
    try:
        with place.startSimulator() as without, place.startSimulator("--record", journal) as recording:
            warm(place, without)
            warm(place, recording)
            found = alternate(
                min(runs, 3),
                without=lambda: stream(place, without, 8, 100),
                recording=lambda: stream(place, recording, 8, 100),
            )
    finally:
        if os.path.exists(journal):
            os.remove(journal)
    return [
        Row("--record, 100 per record", PER_MILLION, "without", found["without"], found["recording"], 2.0)
    ]


def scriptOfRules(place):
    """Fifty rules that do not match, ten each of what rules commonly ask for."""
    path = os.path.join(place.scratch, "rules.yaml")
    with open(path, "w") as file:
        file.write("version: 1\nname: rules that do not match\nrules:\n")
        for number in range(10):
            for when in [
                f"topic: com.example.other{number}", f'token: "ee{number:062x}"', f"nth: {1_000_000_000 + number}",
                f'identifier: "ff0000{number:02x}"', f'payload: {{ aps.alert: {{ contains: "never {number}" }} }}',
            ]:
                file.write(f"  - {{ name: rule {when.split(':')[0]} {number}, when: {{ {when} }}, reply: {{ status: 8 }} }}\n")
    return path


def state(place, runs):
    """What a state that outlives the process adds to each notification: the log, its segments and their syncs."""
    def rows(case, load):
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
            Row(case, PER_MILLION, "without", before, after),
            Row(f"{case}, more", "CPU-us each", "", None, more, 0.15),
            Row(f"{case}, of it on the event loop", "CPU-us each", "", None, loop),
        ]

    found = []
    with withAndWithoutState(place) as (without, kept):
        for server in [without, kept]:
            warm(place, server)
        for frames in [10, 100]:
            found += rows(
                f"--state, 8 connections, {frames} per record",
                lambda server: (stream(place, server, 8, frames), SHAPES[frames][1]),
            )
    if shutil.which("h2load"):
        pushes = Pushes(place)
        with withAndWithoutState(place) as (without, kept):
            for server in [without, kept]:
                pushes.push(server, 8, 100, 100_000)
            found += rows(
                "HTTP/2, --state, 8 connections, 100 at once",
                lambda server: (pushes.push(server, 8, 100, 200_000)[0], 200_000),
            )
    return found


def state_million(place, runs):
    """A million devices, a notification waiting on a tenth of them and a full history: how long a snapshot stops the
    simulator, and how long a start takes with it, alone and with a log of 256 MiB behind it after a kill."""
    devices, stored, log = 1_000_000, 100_000, 256 << 20

    def push(server, tokens, count, order):
        place.load(
            "stream", server.gateway, "--frames", 100, "--records", 16, "--total", count, "--tokens", tokens,
            "--devices", stored if tokens == "offline" else devices - stored, "--order", order,
        )

    def snapshot(server):
        return json.loads(ask(server, "POST", "/state/snapshot"))

    with folderOfState(place) as folder:
        # No snapshot is taken by itself.
        flags = ["--state", folder, "--state-log", "2GiB"]

        def ready(end):
            """Milliseconds from the start of the process until it is ready."""
            with place.startSimulator(*flags) as apnsim:
                while not isReady(apnsim):
                    time.sleep(0.001)
                passed = (time.monotonic() - apnsim.began) * 1000
                metrics = ask(apnsim, "GET", "/metrics")
                for name, count in [("devices", devices), ("notifications_stored", stored), ("notifications_kept", 100_000)]:
                    if f"apnsim_{name} {count}\n".encode() not in metrics:
                        raise SystemExit(f"bench: expected apnsim_{name} {count} of a restored state")
                end(apnsim)
            return passed

        def kill(server):
            server.process.kill()
            server.process.wait()

        with place.startSimulator(*flags) as apnsim:
            push(apnsim, "offline", stored, "each")
            push(apnsim, "ordinary", devices - stored, "each")
            first = snapshot(apnsim)
            # Each is of another state than the one before.
            snapshots = []
            for _ in range(runs):
                push(apnsim, "ordinary", 10_000, "random")
                snapshots.append(snapshot(apnsim))
        whole = statistics.median(ready(lambda server: None) for _ in range(runs))
        with place.startSimulator(*flags) as apnsim:
            snapshot(apnsim)
            while json.loads(ask(apnsim, "GET", "/state"))["log"]["bytes"] < log:
                push(apnsim, "ordinary", 100_000, "random")
            kill(apnsim)
        tailed = statistics.median(ready(kill) for _ in range(runs))

    pause, duration = (
        statistics.median(each[name] for each in snapshots) for name in ["pauseMilliseconds", "milliseconds"]
    )
    return [
        Row("1,000,000 devices, first snapshot, pause", "ms", "", None, first["pauseMilliseconds"], 60),
        Row("its further snapshots, pause", "ms", "", None, pause, 60),
        Row("until they are on the disk", "ms", "", None, duration),
        Row("their size", "MB", "", None, snapshots[-1]["bytes"] / 1e6, 150),
        Row("start from a snapshot of it to ready", "ms", "", None, whole, 500),
        Row("the same after a kill, 256 MiB of log behind it", "ms", "", None, tailed, 1500),
    ]


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


def rules(place, runs):
    with place.startSimulator() as without, place.startSimulator("--scenario", scriptOfRules(place)) as scripted:
        warm(place, without)
        warm(place, scripted)
        found = alternate(
            runs,
            without=lambda: stream(place, without, 8, 1, share=4),
            scripted=lambda: stream(place, scripted, 8, 1, share=4),
        )
    return [
        Row("50 rules that do not match, 1 per record", PER_MILLION, "without", found["without"], found["scripted"], 1.3)
    ]


def stored(place, runs):
    """A notification waiting on each of a million devices; then one more for devices chosen at random."""
    def fill(server, count):
        place.load(
            "stream", server.gateway, "--frames", 100, "--records", 16, "--total", count, "--devices", count,
            "--tokens", "offline", "--order", "each",
        )

    def look(server, count):
        return stream(place, server, 1, 100, "--devices", count, "--tokens", "offline")

    with place.startSimulator() as few, place.startSimulator() as many:
        # The history is full before anything is counted: it is bounded, whatever is stored.
        for server in [few, many]:
            stream(place, server, 1, 100, "--devices", 1000)
        before = many.residentBytes
        fill(many, 1_000_000)
        bytes = (many.residentBytes - before) / 1e6
        fill(few, 10_000)
        found = alternate(min(runs, 3), few=lambda: look(few, 10_000), many=lambda: look(many, 1_000_000))
    return [
        Row("1,000,000 stored notifications", "bytes each", "", None, bytes, 300),
        Row("its lookups", PER_MILLION, "10,000 devices", found["few"], found["many"], 2.0),
    ]


def idle(place, runs):
    count = 2000
    with place.startSimulator() as apnsim:
        place.load("latency", apnsim.gateway, "--total", 100)
        before = apnsim.residentBytes
        command = place.loadCommand("idle", apnsim.gateway, "--connections", count)
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        holder.stdout.readline()
        each = (apnsim.residentBytes - before) / 1024 / count
        holder.stdin.close()
        holder.wait(60)
    return [Row("idle mutual-TLS connection", "KiB resident", "", None, each, 32)]


def start(place, runs):
    def once():
        with place.startSimulator() as apnsim:
            return apnsim.startSeconds * 1000

    return [Row("start to ready", "ms", "", None, alternate(2 * runs + 1, apnsim=once)["apnsim"], 30)]


def mock(place, runs):
    with place.startMock() as mock, place.startSimulator() as apnsim:
        warm(place, apnsim)

        def ask():
            result = place.load(
                "stream", mock.gateway, "--connections", 8, "--frames", 100, "--total", 200_000, pid=mock.pid
            )
            return result["serverSeconds"] / result["notifications"] * 1e6

        found = alternate(min(runs, 3), mock=ask, apnsim=lambda: stream(place, apnsim, 8, 100))
    return [
        Row("Python mock, 8 connections, 100 per record", PER_MILLION, "mock", found["mock"], found["apnsim"], 0.05)
    ]


def offline(place, runs):
    """Replay of a recording without a network, beside what the gateway takes without TLS: apnsim less the limit. The
    gateway has been running for a while; the recording is long, so that the replay's start is as small a part of it."""
    journal = os.path.join(place.scratch, "capture.jsonl")
    count = 3_000_000
    with place.startSimulator("--record", journal) as recording:
        for _ in range(2):
            place.load(
                "stream", recording.gateway, "--connections", 8, "--frames", 100, "--records", 16, "--total", count // 2
            )

    def replay():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        place.run([place.apnsim, "replay", journal, "--offline", "--quiet"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6

    with place.startLimit() as limit, place.startSimulator() as apnsim:
        warm(place, apnsim)
        found = alternate(
            min(runs, 3),
            limit=lambda: stream(place, limit, 8, 100),
            apnsim=lambda: stream(place, apnsim, 8, 100),
            replay=replay,
        )
    os.remove(journal)
    gateway = found["apnsim"] - found["limit"]
    return [Row("offline replay", PER_MILLION, "gateway without TLS", gateway, found["replay"], 1.0)]


def feedback(place, runs):
    """A list of a million tuples, beside the same bytes in full records from memory; by the server's CPU."""
    count = 1_000_000
    with place.startLimit("--feedback", str(count)) as limit, place.startSimulator("--feedback-keep") as apnsim:
        place.load(
            "stream", apnsim.gateway, "--frames", 100, "--records", 16, "--total", count, "--devices", count,
            "--tokens", "uninstalled", "--order", "each",
        )

        def read(server):
            result = place.load("feedback", server.feedback, "--total", 3, pid=server.pid)
            if result["notifications"] != 3 * count:
                raise SystemExit(f"bench: {result['notifications']} tuples came, expected {3 * count}")
            return result["notifications"] / result["serverSeconds"] / 1e6

        found = alternate(runs, limit=lambda: read(limit), apnsim=lambda: read(apnsim))
    return [
        Row("feedback, 1,000,000 tuples", "million/CPU-s", "limit", found["limit"], found["apnsim"], 0.9, True)
    ]


def observed(place, runs):
    """A reader of every event and a wait as tests have them, unsatisfied; the same server with and without them."""
    with place.startSimulator() as apnsim:
        warm(place, apnsim)
        ask(apnsim, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def watched():
            with observers(apnsim):
                return stream(place, apnsim, 8, 100)

        found = alternate(runs, without=lambda: stream(place, apnsim, 8, 100), watched=watched)
    return [
        Row(
            "one event stream and one wait open, 100 per record", PER_MILLION, "without", found["without"],
            found["watched"], 1.1,
        )
    ]


def page(place, runs):
    """The page, open in a browser beside the load: what it adds to each notification, on both interfaces."""
    if not chromium.PATH:
        return []

    def row(name, apnsim, load):
        def watched():
            with browser(apnsim, place):
                return load()

        found = alternate(runs, without=load, watched=watched)
        return Row(name, PER_MILLION, "without", found["without"], found["watched"], 1.05)

    with place.startSimulator() as apnsim:
        warm(place, apnsim)
        rows = [row("a page open, 100 per record", apnsim, lambda: stream(place, apnsim, 8, 100))]
    if shutil.which("h2load"):
        pushes = Pushes(place)
        with place.startSimulator() as apnsim:
            pushes.push(apnsim, 8, 100, 100_000)
            rows.append(row("HTTP/2, a page open", apnsim, lambda: pushes.push(apnsim, 8, 100, 200_000)[0]))
    return rows


@contextlib.contextmanager
def browser(server, place):
    """A page open in Chromium, once it has its stream of events and has drawn what was there."""
    profile = tempfile.mkdtemp(dir=place.scratch)
    # As root and in containers, Chromium has no sandbox of its own to be in.
    command = [
        chromium.PATH, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1440,1000",
        "--remote-debugging-port=0", f"--user-data-dir={profile}", server.control + "/",
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            untilOpen(server, "streams", 1)
            time.sleep(1)
            yield
        finally:
            process.terminate()
    untilOpen(server, "streams", 0)


def queries(place, runs):
    """What a list costs that looks through a full history and finds nothing; one of each kind of query."""
    kinds = {
        "status": "status:7", "topic": "topic:com.nobody.*", "alert": "alert~zzzz", "badge": "badge>1000000",
        "device by name": "device:bob", "device by token": f"device:{'ab' * 32}", "token": f"token:{'ab' * 32}",
        "payload path": "payload.aps.sound:none", "regular expression": "alert~/order #[0-9]+/",
        "pattern of many states": "alert~/[a-z ]+[ou].{3,9}[xz]/",
        "together": "topic:com.example.* alert~zzzz badge>3 outcome:delivered",
    }
    with place.startSimulator() as apnsim:
        # The history is full: it keeps 100,000.
        stream(place, apnsim, 4, 100, share=8)
        ask(apnsim, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def cost(query):
            before = cpuSeconds(apnsim.pid)
            ask(apnsim, "GET", "/notifications?query=" + urllib.parse.quote(query))
            return (cpuSeconds(apnsim.pid) - before) * 1000

        found = {
            name: statistics.median(cost(query) for _ in range(2 * runs + 1)) for name, query in kinds.items()
        }
    return [Row(f"query of 100,000 by {name}", "CPU-ms", "", None, value, 50) for name, value in found.items()]


def ask(server, method, path, body=None):
    """One request to the control API."""
    request = urllib.request.Request(
        f"{server.control}/api/v1{path}", None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"}, method=method,
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def cpuSeconds(pid):
    """The CPU time of a process, threads that ended included, to the nanosecond."""
    # The number of its clock, as clock_getcpuclockid(3) gives it.
    return time.clock_gettime(~pid << 3 | 2)


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


@contextlib.contextmanager
def observers(server):
    """Reads every event, and waits for what does not come, meanwhile."""
    address = urllib.parse.urlsplit(server.control).netloc
    events, wait = (http.client.HTTPConnection(address, timeout=300) for _ in range(2))
    events.request("GET", "/api/v1/events")
    # An answer that is the last of its connection takes the socket along.
    sockets = [events.sock]
    answer = events.getresponse()

    def read():
        # Ends with the connection.
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while answer.read1(1 << 20):
                pass

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    body = json.dumps({"query": "device:bob alert~order", "timeout": "10m"})
    wait.request("POST", "/api/v1/notifications/wait", body, {"Content-Type": "application/json"})
    sockets.append(wait.sock)
    untilOpen(server, "waits", 1)
    yield
    if not reader.is_alive():
        raise SystemExit("bench: the event stream ended while notifications came")
    for each in sockets:
        each.shutdown(socket.SHUT_RDWR)
    reader.join()
    untilOpen(server, "waits", 0)


def untilOpen(server, what, count):
    deadline = time.monotonic() + 60
    while f"apnsim_{what}_open {count}\n".encode() not in ask(server, "GET", "/metrics"):
        if time.monotonic() > deadline:
            raise SystemExit(f"bench: there were not {count} {what} open within a minute")
        time.sleep(0.01)


def reset(place, runs):
    """A provider's bad frames, each with its answer, while the state with 100,000 devices made on first sight begins anew."""
    devices, waits = 100_000, []
    with place.startSimulator() as apnsim:

        def fill():
            with provider(place, apnsim) as sender:
                for first in range(0, devices, 500):
                    sender.sendall(b"".join(frame(number) for number in range(first, first + 500)))
                while f"apnsim_devices {devices}\n".encode() not in ask(apnsim, "GET", "/metrics"):
                    time.sleep(0.05)

        def longest(method, path):
            """The longest of the waits for an answer in ms, while the command is carried out; None if that took longer."""
            with contextlib.ExitStack() as stack:
                probes = [stack.enter_context(provider(place, apnsim)) for _ in range(1000)]
                command = threading.Thread(target=ask, args=(apnsim, method, path, {})) if method else None
                found, isCovered = [], command is None
                for number, probe in enumerate(probes):
                    if command and number == 50:
                        command.start()
                    elif command and number > 50 and not command.is_alive():
                        isCovered = True
                        break
                    began = time.perf_counter()
                    probe.sendall(b"\xff")
                    if len(probe.recv(6)) != 6:
                        raise SystemExit("bench: a provider had no answer")
                    found.append((time.perf_counter() - began) * 1000)
                if command:
                    command.join()
                return max(found[50:]) if isCovered else None

        for name, method, path in [("POST /reset", "POST", "/reset"), ("PUT /scenario", "PUT", "/scenario")]:
            without, during = [], []
            for _ in range(max(runs, 5)):
                fill()
                without.append(longest(None, None))
                during.append(longest(method, path))
            # The scheduler of a busy machine makes a provider wait for milliseconds now and then, whatever the server
            # does. A wait for the lock would be in every round: the round with the shortest shows it.
            waits.append((name, min(without), min(wait for wait in during if wait)))
    return [
        Row(f"longest wait of a provider, {name} with 100,000 devices", "ms", "without", without, during)
        for name, without, during in waits
    ]


def provider(place, server):
    """A connection to the gateway with the certificate of the first topic."""
    context = ssl.create_default_context(cafile=place.authority)
    context.check_hostname = False
    context.load_cert_chain(place.file(f"{place.topics[0]}.pem"), place.file(f"{place.topics[0]}.key"))
    return context.wrap_socket(socket.create_connection(("127.0.0.1", server.gateway)))


def frame(number):
    """A frame of command 1 to a device of its own."""
    payload = b'{"aps":{"alert":"hi"}}'
    token = struct.pack(">Q", number + 1) * 4
    return b"\x01" + struct.pack(">IIH", number, 2**31, 32) + token + struct.pack(">H", len(payload)) + payload


ALL = [
    saturated, paced, latency, http2, http2_record, http2_offline, http2_mocks, http2_watched, http2_idle, record, state, state_million, rules, stored, idle, start, mock, offline, feedback, observed, page, queries, reset,
]
