"""Ten thousand idle HTTP/2 connections are held in at most 24 KiB each after a request, 40 after a hundred at once."""

import time

from http2_provider import BEGINNING, accepted, requests
from provider import Swarm, token
from server import Server

COUNT = 10_000
AT_ONCE = 100
PER_CONNECTION = 24 * 1024
PER_BUSY_CONNECTION = 40 * 1024


def run(setup):
    # A short history: what is counted is connections.
    with Server(setup, "--keep", 1000) as server:
        swarm = Swarm(server, server.endpoints["http2"])
        swarm.open(8)
        ask(swarm, 0, 1)
        before = server.figures
        seconds = swarm.open(COUNT)
        opened = swarm.count("open") - 8
        ask(swarm, 0, 1, since=8)
        time.sleep(1)
        idle = server.figures
        start = time.monotonic()
        ask(swarm, 1, AT_ONCE)
        traffic = time.monotonic() - start
        time.sleep(1)
        busy = server.figures
        # The streams that each was answered on, every one once and in order.
        expected = list(range(1, 2 * AT_ONCE + 2, 2))
        right = sum(1 for c in swarm.connections if sorted(accepted(c.input)) == expected)
        swarm.close()
        time.sleep(3)
        after = server.figures
        status, _ = server.stop()
    each = (idle.resident - before.resident) / max(1, opened)
    eachBusy = (busy.resident - before.resident) / max(1, opened)
    figures = [
        f"{opened:,} handshakes in {seconds:.0f} s ({idle.cpu - before.cpu:.1f} s CPU of the server)",
        f"{each / 1024:.1f} KiB resident per connection that is idle after one request",
        f"{eachBusy / 1024:.1f} KiB after {AT_ONCE} at once on each, {traffic:.0f} s",
        f"{right:,} of {len(swarm.connections):,} had each of their requests answered once",
        f"descriptors {before.descriptors - 8} before, {idle.descriptors} with all, {after.descriptors} after",
        f"resident {before.resident >> 20} MiB before, {idle.resident >> 20} with all, {after.resident >> 20} after",
    ]
    held = (opened == COUNT and right == COUNT + 8 and each <= PER_CONNECTION and eachBusy <= PER_BUSY_CONNECTION
            and after.descriptors <= before.descriptors - 8 and status == 0)
    return figures, "24 KiB, 40 KiB, every request answered, no descriptor left", held


def ask(swarm, first, count, since=0):
    """Writes so many requests on each connection, and waits for their answers."""
    load = (b"" if first else BEGINNING) + requests(count, lambda number: token(1 + number), first)
    for connection in swarm.connections[since:]:
        swarm.write(connection, load)
    last = 2 * (first + count) - 1
    swarm.run(lambda: all(isAnswered(c, last) for c in swarm.connections[since:]), 120)


def isAnswered(connection, stream):
    """Answers come in order; the frame that ends this one's is the last of what was read."""
    if connection.is_over:
        return True
    header = b"\x01\x05" + stream.to_bytes(4, "big")
    return connection.input.rfind(header) >= 0 and not connection.output
