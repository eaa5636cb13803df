"""The control API beside a load: searches, and a reset."""
import contextlib
import socket
import ssl
import statistics
import struct
import threading
import time
import urllib.parse

from goals import FIGURES
from loads import ask, cpuSeconds, stream
from tables import Row


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
        stream(place, apnsim, 4, 100, total=200_000)
        ask(apnsim, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def cost(query):
            before = cpuSeconds(apnsim.pid)
            ask(apnsim, "GET", "/notifications?query=" + urllib.parse.quote(query))
            return (cpuSeconds(apnsim.pid) - before) * 1000

        found = {
            name: statistics.median(cost(query) for _ in range(2 * runs + 1)) for name, query in kinds.items()
        }
    goal = FIGURES["query of 100,000"]
    return [Row(f"query of 100,000 by {name}", "CPU-ms", "", None, value, goal) for name, value in found.items()]


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
    goal = FIGURES["wait during a reset"]
    return [
        Row(
            f"longest wait of a provider, {name} with 100,000 devices", "ms", "without", without, during, goal,
            isGoalOfFigure=True,
        )
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
