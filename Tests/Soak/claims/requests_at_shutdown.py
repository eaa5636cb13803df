"""SIGTERM under load over HTTP/2: every request that was received is answered, and GOAWAY names the last of them."""

import os
import signal
import time

from http2_provider import BEGINNING, accepted, goodbye, requests
from provider import Swarm, token
from server import Server

COUNT = 64
STREAMS = 500


def run(setup):
    with Server(setup) as server:
        swarm = Swarm(server, server.endpoints["http2"])
        swarm.open(COUNT)
        load = BEGINNING + requests(STREAMS, lambda number: token(1 + number))
        # While it stands still the kernel takes what is written, so all of it waits when the signal comes.
        os.kill(server.pid, signal.SIGSTOP)
        for connection in swarm.connections:
            swarm.write(connection, load)
        written = swarm.run(lambda: not any(c.output for c in swarm.connections), 20)
        start = time.monotonic()
        server.terminate()
        os.kill(server.pid, signal.SIGCONT)
        swarm.run(lambda: swarm.count("ended", "failed") == COUNT, 20)
        status, _ = server.stop()
        seconds = time.monotonic() - start
        expected = list(range(1, 2 * STREAMS, 2))
        right = sum(1 for c in swarm.connections if sorted(accepted(c.input)) == expected)
        told = sum(1 for c in swarm.connections if goodbye(c.input) == (2 * STREAMS - 1, 0))
        swarm.close()
    figures = [
        f"{COUNT} providers with {STREAMS} requests each, all unread when the signal came: {right} had every one answered, "
        f"{told} read GOAWAY with their last request, exit {status} after {seconds:.1f} s",
    ]
    return figures, "all answered, all told", written and right == told == COUNT and status == 0
