"""A state with many devices begins anew, while providers wait for answers."""
import contextlib
import json
import os
import socket
import ssl
import statistics
import threading
import time

from goals import FIGURES
from loads import ask, needsH2load
from tables import Row

DEVICES = 90_000
# Providers that have been answered before the command comes.
BEFORE = 50


@needsH2load
def reset(place, runs):
    """A reset with 90,000 devices of issued tokens: its time, and the longest wait of a provider meanwhile."""
    rows = []
    with place.startSimulator() as apnsim:
        for name, method, path in [("POST /reset", "POST", "/reset"), ("PUT /scenario", "PUT", "/scenario")]:
            times, calm, during = [], [], []
            for _ in range(max(runs, 5)):
                issue(place, apnsim)
                calm.append(max(waits(place, apnsim)))
                passed, found = commanded(place, apnsim, method, path)
                times.append(passed)
                during.append(max(found))
            case, wait = f"{name} with {DEVICES:,} devices", FIGURES["wait during a reset"]
            # The scheduler of a busy machine makes a provider wait for milliseconds now and then, whatever the server
            # does. A wait for the lock would be in every round: the round with the shortest shows it.
            rows += [
                Row(case, "ms", "", None, statistics.median(times), FIGURES["reset"]),
                Row(f"{case}, longest wait of a provider", "ms", "without", min(calm), min(during), wait, True),
            ]
    return rows


def issue(place, server):
    """Devices with a name, whose tokens the simulator issues."""
    paths, body = (os.path.join(place.scratch, name) for name in ["devices", "device"])
    with open(paths, "w") as file:
        file.writelines(f"/api/v1/devices/d{number}\n" for number in range(DEVICES))
    with open(body, "w") as file:
        json.dump({"apps": [place.topics[0]]}, file)
    place.requests(
        server.control, "--h1", "--header=:method: PUT", "--header=content-type: application/json",
        f"--input-file={paths}", f"--data={body}", f"--requests={DEVICES}",
    )
    if f"apnsim_devices {DEVICES}\n".encode() not in ask(server, "GET", "/metrics"):
        raise SystemExit(f"bench: expected {DEVICES} devices")


def waits(place, server, isOver=lambda: False, begin=lambda: None):
    """The waits of providers for the answer to a bad frame, one after the other, in ms: of all of them, or until it is
    over. The first are answered before it begins, and do not count."""
    found = []
    with contextlib.ExitStack() as stack:
        providers = [stack.enter_context(provider(place, server)) for _ in range(1000)]
        for number, each in enumerate(providers):
            if number == BEFORE:
                begin()
            if number > BEFORE and isOver():
                break
            began = time.perf_counter()
            each.sendall(b"\xff")
            if len(each.recv(6)) != 6:
                raise SystemExit("bench: a provider had no answer")
            found.append((time.perf_counter() - began) * 1000)
    return found[BEFORE:]


def commanded(place, server, method, path):
    """How long a command takes in ms, and the waits meanwhile."""
    passed = []

    def carryOut():
        began = time.perf_counter()
        ask(server, method, path, {})
        passed.append((time.perf_counter() - began) * 1000)

    command = threading.Thread(target=carryOut)
    found = waits(place, server, isOver=lambda: not command.is_alive(), begin=command.start)
    command.join()
    return passed[0], found


def provider(place, server):
    """A connection to the gateway with the certificate of the first topic."""
    context = ssl.create_default_context(cafile=place.authority)
    context.check_hostname = False
    context.load_cert_chain(place.file(f"{place.topics[0]}.pem"), place.file(f"{place.topics[0]}.key"))
    return context.wrap_socket(socket.create_connection(("127.0.0.1", server.gateway)))
