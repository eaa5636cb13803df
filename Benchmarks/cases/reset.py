"""A state with many devices begins anew, while a provider waits for answers."""
import json
import os
import socket
import ssl
import statistics
import sys
import threading
import time

from goals import FIGURES
from loads import ask
from tables import Row

# The frames are those that the claims of staying power send.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "Soak"))
import http2_provider as requests

DEVICES = 90_000
# Requests that are answered where no command comes.
CALM = 1000


def reset(place, runs):
    """A reset with 90,000 devices of issued tokens: its time, and the longest wait of a provider meanwhile."""
    rows, scenario = [], manyDevices(place)
    with place.startSimulator("--scenario", scenario) as apnsim, Provider(place, apnsim) as connection:
        with open(scenario) as file:
            text = json.load(file)
        for name, method, path, body in [("POST /reset", "POST", "/reset", {}), ("PUT /scenario", "PUT", "/scenario", text)]:
            times, calm, during = [], [], []
            for _ in range(max(runs, 5)):
                calm.append(max([connection.wait() for _ in range(CALM)]))
                passed, found = commanded(apnsim, connection, method, path, body)
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


def manyDevices(place):
    """A scenario of devices whose tokens the simulator issues."""
    path = os.path.join(place.scratch, "devices.json")
    devices = {f"d{number}": {"apps": [place.topics[0]]} for number in range(DEVICES)}
    with open(path, "w") as file:
        json.dump({"version": 1, "name": "many devices", "devices": devices}, file)
    return path


def commanded(server, connection, method, path, body):
    """How long a command takes in ms, and the waits meanwhile."""
    passed = []

    def carryOut():
        began = time.perf_counter()
        ask(server, method, path, body)
        passed.append((time.perf_counter() - began) * 1000)

    command = threading.Thread(target=carryOut)
    command.start()
    found = [connection.wait()]
    while command.is_alive():
        found.append(connection.wait())
    return passed[0], found


class Provider:
    """A connection of requests, with the certificate of the first topic."""

    def __init__(self, place, server):
        context = ssl.create_default_context(cafile=place.authority)
        context.load_cert_chain(place.file(f"{place.topics[0]}.pem"), place.file(f"{place.topics[0]}.key"))
        context.set_alpn_protocols(["h2"])
        self.connection = context.wrap_socket(
            socket.create_connection(("localhost", server.http2)), server_hostname="localhost")
        self.connection.sendall(requests.BEGINNING)
        fields = {":path": f"/3/device/{7:064x}", "apns-topic": place.topics[0], "apns-push-type": "alert"}
        self.block = requests.PSEUDO + b"".join(requests.field(*field) for field in fields.items())
        self.stream = 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def wait(self):
        """The wait for the answer to a request, in ms."""
        began = time.perf_counter()
        head = requests.frame(requests.HEADERS, requests.END_HEADERS, self.stream, self.block)
        body = requests.frame(requests.DATA, requests.END_STREAM, self.stream, b'{"aps":{"alert":"Hello"}}')
        self.connection.sendall(head + body)
        read = b""
        while not any(kind == requests.HEADERS for kind, _, stream, _ in requests.frames(read) if stream == self.stream):
            read += self.connection.recv(65_536)
        self.stream += 2
        return (time.perf_counter() - began) * 1000
