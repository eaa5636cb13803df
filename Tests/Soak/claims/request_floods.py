"""A hundred peers that flood over HTTP/2, each connecting once, are ended, and hardly delay another provider."""

import multiprocessing
import statistics
import time

from http2_provider import (BEGINNING, CONTINUATION, END_HEADERS, HEADERS, PSEUDO, RST_STREAM, SETTINGS_FRAME, accepted, block,
                            frame, goodbye, request)
from provider import Swarm, token
from server import Server

PEERS = 100
REQUESTS = 2_000
SLOWER = 2.0
# So short a wait says nothing but that the scheduler had other work.
LEAST = 0.005


def resets():
    return b"".join(
        frame(HEADERS, END_HEADERS, stream, block(token(stream))) + frame(RST_STREAM, 0, stream, b"\0\0\0\x08")
        for stream in range(1, 24_001, 2))


def continuations():
    return frame(HEADERS, 0, 1, PSEUDO) + frame(CONTINUATION, 0, 1, b"\x84") * 5_000


FLOODS = {"rapid reset": resets, "CONTINUATION": continuations, "SETTINGS": lambda: SETTINGS_FRAME * 40_000}


def flood(server, load, ready, go, told):
    """A process of its own: connects, waits for its sign, floods, and says how the peers were ended."""
    swarm = Swarm(server, server.endpoints["http2"])
    swarm.open(PEERS)
    ready.set()
    go.wait()
    for connection in swarm.connections:
        swarm.write(connection, BEGINNING + load)
    swarm.run(lambda: swarm.count("ended", "failed") == PEERS, 60)
    told.put((swarm.count("ended", "failed"), sum(1 for c in swarm.connections if (goodbye(c.input) or (0, 0))[1] == 11)))
    swarm.close()


def probe(connection, first, until=None):
    """One request after the other; how long each waited for its answer."""
    waits, number = [], first
    while len(waits) < REQUESTS or until and until():
        start = time.monotonic()
        connection.sendall(request(2 * number + 1, token(1 + number % 1000)))
        read = b""
        while not accepted(read):
            chunk = connection.recv(65_536)
            assert chunk, "the provider was ended"
            read += chunk
        waits.append(time.monotonic() - start)
        number += 1
    return waits, number


def p99(waits):
    return statistics.quantiles(waits, n=100)[98]


def run(setup):
    figures, held = [], True
    with Server(setup) as server:
        provider = server.connect(server.endpoints["http2"])
        provider.sendall(BEGINNING)
        _, number = probe(provider, 0)
        processes = multiprocessing.get_context("fork")
        for name, load in FLOODS.items():
            quiet, number = probe(provider, number)
            ready, go, told = processes.Event(), processes.Event(), processes.Queue()
            flooder = processes.Process(target=flood, args=(server, load(), ready, go, told))
            flooder.start()
            assert ready.wait(60), "the peers did not connect"
            go.set()
            waits, number = probe(provider, number, lambda: flooder.is_alive() and told.empty())
            ended, calm = told.get(timeout=60)
            flooder.join(30)
            before, during = p99(quiet), p99(waits)
            held = held and ended == PEERS and during <= max(SLOWER * before, LEAST)
            figures.append(
                f"{name}: {ended} of {PEERS} ended, {calm} of them read ENHANCE_YOUR_CALM; p99 of {len(waits):,} requests of "
                f"another {during * 1000:.2f} ms, {before * 1000:.2f} before")
        provider.close()
        said = server.log.count("a bound was met")
        status, _ = server.stop()
    figures.append(f"{said} lines in the log of {len(FLOODS) * PEERS} floods; exit {status}")
    held = held and status == 0 and said <= len(FLOODS) * 10
    return figures, f"all ended, p99 within {SLOWER:g} x or {LEAST * 1000:g} ms, a few lines in the log", held
