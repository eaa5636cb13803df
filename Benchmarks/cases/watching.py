"""Who else is there: rules that do not match, readers of events, waits, the page."""
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from goals import RATIOS
from loads import PER_MILLION, Pushes, alternate, ask, needsH2load, stream, warm
from tables import Row

# The browser is that of the page's tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "Page"))
import chromium


def rules(place, runs):
    """Fifty rules that do not match."""
    with place.startSimulator() as without, place.startSimulator("--scenario", scriptOfRules(place)) as scripted:
        for server in [without, scripted]:
            warm(place, server)
        found = alternate(
            runs,
            without=lambda: stream(place, without, 8, 1, total=400_000),
            scripted=lambda: stream(place, scripted, 8, 1, total=400_000),
        )
    case, goal = "50 rules that do not match, 1 per record", RATIOS["50 rules"]
    return [Row(case, PER_MILLION, "without", found["without"], found["scripted"], goal)]


def observed(place, runs):
    """A reader of every event, and a wait as tests have them, unsatisfied; the same server with and without each."""
    with place.startSimulator() as apnsim:
        warm(place, apnsim)
        ask(apnsim, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def watched(observer):
            with observer(apnsim):
                return stream(place, apnsim, 8, 100)

        found = alternate(
            runs, without=lambda: stream(place, apnsim, 8, 100), reader=lambda: watched(eventReader),
            wait=lambda: watched(openWait),
        )
    return [
        Row(f"one {name} open, 100 per record", PER_MILLION, "without", found["without"], found[key], RATIOS["observed"])
        for key, name in OBSERVERS.items()
    ]


@needsH2load
def http2_watched(place, runs):
    """Fifty rules that do not match, a reader of every event, and a wait; each beside the same without."""
    pushes = Pushes(place)
    with place.startSimulator() as without, place.startSimulator("--scenario", scriptOfRules(place)) as scripted:
        for server in [without, scripted]:
            pushes.warm(server)
        ask(without, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def watched(observer):
            with observer(without):
                return pushes.push(without)

        found = alternate(
            min(runs, 3), without=lambda: pushes.push(without), scripted=lambda: pushes.push(scripted),
            reader=lambda: watched(eventReader), wait=lambda: watched(openWait),
        )

    def row(name, measure, goal):
        return Row(f"HTTP/2, {name}", PER_MILLION, "without", found["without"], found[measure], RATIOS[goal])

    return [
        row("50 rules that do not match", "scripted", "50 rules"),
        *(row(f"one {name} open", key, "observed") for key, name in OBSERVERS.items()),
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
        return Row(name, PER_MILLION, "without", found["without"], found["watched"], RATIOS["page open"])

    with place.startSimulator() as apnsim:
        warm(place, apnsim)
        rows = [row("a page open, 100 per record", apnsim, lambda: stream(place, apnsim, 8, 100))]
    if shutil.which("h2load"):
        pushes = Pushes(place)
        with place.startSimulator() as apnsim:
            pushes.warm(apnsim)
            rows.append(
                row(
                    "HTTP/2, a page open, 100,000 requests a second", apnsim,
                    lambda: pushes.measure(apnsim, 8, 100, 400_000, "--rps=12500")[0],
                )
            )
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
    # Chromium may be started by a script of its name: they end together.
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:
        try:
            untilOpen(server, "streams", 1)
            time.sleep(1)
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
    untilOpen(server, "streams", 0)


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


@contextlib.contextmanager
def eventReader(server):
    """Reads every event meanwhile."""
    events = controlConnection(server)
    events.request("GET", "/api/v1/events")
    # An answer that is the last of its connection takes the socket along.
    open = events.sock
    answer = events.getresponse()

    def read():
        # Ends with the connection.
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while answer.read1(1 << 20):
                pass

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    untilOpen(server, "streams", 1)
    yield
    if not reader.is_alive():
        raise SystemExit("bench: the event stream ended while notifications came")
    open.shutdown(socket.SHUT_RDWR)
    reader.join()
    untilOpen(server, "streams", 0)


@contextlib.contextmanager
def openWait(server):
    """Waits for what does not come, meanwhile."""
    wait = controlConnection(server)
    body = json.dumps({"query": "device:bob alert~order", "timeout": "10m"})
    wait.request("POST", "/api/v1/notifications/wait", body, {"Content-Type": "application/json"})
    untilOpen(server, "waits", 1)
    yield
    wait.sock.shutdown(socket.SHUT_RDWR)
    untilOpen(server, "waits", 0)


# The observers, by the words of the rows.
OBSERVERS = {"reader": "event stream", "wait": "wait"}


def controlConnection(server):
    return http.client.HTTPConnection(urllib.parse.urlsplit(server.control).netloc, timeout=300)


def untilOpen(server, what, count):
    deadline = time.monotonic() + 60
    while f"apnsim_{what}_open {count}\n".encode() not in ask(server, "GET", "/metrics"):
        if time.monotonic() > deadline:
            raise SystemExit(f"bench: there were not {count} {what} open within a minute")
        time.sleep(0.01)
