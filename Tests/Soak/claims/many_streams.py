"""A thousand HTTP/2 connections with a hundred requests at once are all answered, each request once."""

from http2_provider import BEGINNING, accepted, requests
from provider import Swarm, token
from server import Server

COUNT = 1_000
STREAMS = 100


def run(setup):
    with Server(setup) as server:
        swarm = Swarm(server, server.endpoints["http2"])
        swarm.open(COUNT)
        before = server.figures
        for number, connection in enumerate(swarm.connections):
            # All of a connection's requests in one write, each to a device of its own.
            swarm.write(connection, BEGINNING + requests(STREAMS, lambda place, n=number: token(1 + n * STREAMS + place)))
        end = (2 * STREAMS - 1).to_bytes(4, "big")
        swarm.run(lambda: all(c.is_over or b"\x01\x05" + end in c.input for c in swarm.connections), 120)
        after = server.figures
        expected = list(range(1, 2 * STREAMS, 2))
        right = sum(1 for c in swarm.connections if sorted(accepted(c.input)) == expected)
        swarm.close()
        status, took = server.stop()
    figures = [
        f"{right:,} of {COUNT:,} connections had all of their {STREAMS} requests answered 200, each once",
        f"{(after.cpu - before.cpu) / (COUNT * STREAMS) * 1e6:.1f} us CPU of the server for a request; "
        f"resident {before.resident >> 20} MiB before, {after.resident >> 20} after; exit {status} after {took:.1f} s",
    ]
    return figures, "all answered, each once", right == COUNT and status == 0
