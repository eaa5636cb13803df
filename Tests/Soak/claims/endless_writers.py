"""Providers that write for ever after their error are discarded at a bounded cost and cut off in bounded time."""

import time

from provider import ERROR_BYTES, Swarm, bad, batch, refusal
from server import Server

COUNT = 16
LINGER = 1
BATCH = batch(400)
GROWTH = 160 << 20


def run(setup):
    with Server(setup, "--linger", f"{LINGER}s") as server:
        swarm = Swarm(server)
        swarm.open(COUNT)
        base = server.figures
        start = time.monotonic()
        for number, connection in enumerate(swarm.connections):
            connection.most = ERROR_BYTES
            swarm.write(connection, bad(number))
        # Each reads its answer, but not the end after it, and goes on writing.
        swarm.run(lambda: all(len(c.input) >= ERROR_BYTES or c.is_over for c in swarm.connections), 20)
        most, written = 0, 0
        while swarm.count("open") and time.monotonic() - start < 30:
            for connection in swarm.connections:
                connection.reads = False
                if connection.state == "open" and connection.error is None and not connection.output:
                    swarm.write(connection, BATCH)
                    written += len(BATCH)
                if connection.error is not None and not connection.is_over:
                    connection.end("failed")
            swarm.turn(0.01)
            most = max(most, server.figures.resident)
        seconds = time.monotonic() - start
        right = sum(1 for n, c in enumerate(swarm.connections) if bytes(c.input[:ERROR_BYTES]) == refusal(n))
        swarm.close()
        status, _ = server.stop()
    figures = [
        f"{COUNT} providers wrote {written / 1e6:.0f} MB after their error, all cut off within {seconds:.1f} s",
        f"{right} of {COUNT} had their six bytes",
        f"resident {base.resident >> 20} MiB before, {most >> 20} at most",
    ]
    held = right == COUNT and seconds <= 5 * LINGER + 3 and most - base.resident < GROWTH and status == 0
    return figures, f"5 times the linger time ({5 * LINGER} s), {GROWTH >> 20} MiB", held
