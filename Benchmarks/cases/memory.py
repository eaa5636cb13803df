"""What it takes to be there: memory of connections and of what is stored, and the start."""
import contextlib
import os
import socket
import ssl
import subprocess
import sys

from goals import FIGURES, RATIOS
from loads import PER_MILLION, alternate, stream
from tables import Row

# The frames are those that the claims of staying power send.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "Soak"))
import http2_provider as requests


def stored(place, runs):
    """A notification waiting on each of a million devices; then one more for devices chosen at random."""
    def fill(server, count):
        flags = ["--devices", count, "--tokens", "offline", "--order", "each"]
        stream(place, server, 1, 100, *flags, total=count)

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
    lookups = RATIOS["lookups beside a million stored"]
    return [
        Row("1,000,000 stored notifications", "bytes each", "", None, bytes, FIGURES["stored notification"]),
        Row("its lookups", PER_MILLION, "10,000 devices", found["few"], found["many"], lookups),
    ]


def idle(place, runs):
    """What a connection of the binary interface holds."""
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
    return [Row("idle mutual-TLS connection", "KiB resident", "", None, each, FIGURES["idle connection, binary"])]


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
        fields = {":path": f"/3/device/{7:064x}", "apns-topic": place.topics[0], "apns-push-type": "alert"}
        block = requests.PSEUDO + b"".join(requests.field(*field) for field in fields.items())
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
    unit, goals = "KiB resident", [FIGURES[f"idle connection, HTTP/2{after}"] for after in ["", " after 100 at once"]]
    return [
        Row("HTTP/2, idle connection after a request", unit, "", None, each[0], goals[0]),
        Row(f"HTTP/2, idle connection after {atOnce} at once", unit, "", None, each[1], goals[1]),
    ]


def start(place, runs):
    """From the start of the process to its first line."""
    def once():
        with place.startSimulator() as apnsim:
            return apnsim.startSeconds * 1000

    found = alternate(2 * runs + 1, apnsim=once)
    return [Row("start to ready", "ms", "", None, found["apnsim"], FIGURES["start"])]
