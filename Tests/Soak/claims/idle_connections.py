"""Ten thousand idle mutual-TLS connections are held in at most 24 KiB each, and every one of them works."""

import time

from provider import ERROR_BYTES, Swarm, bad, batch, refusal
from server import Server

COUNT = 10_000
PER_CONNECTION = 24 * 1024
FRAMES = 10


def run(setup):
    with Server(setup) as server:
        swarm = Swarm(server)
        swarm.open(8)
        before = server.figures
        seconds = swarm.open(COUNT)
        opened = swarm.count("open") - 8
        time.sleep(1)
        idle = server.figures
        each = (idle.resident - before.resident) / max(1, opened)

        start = time.monotonic()
        for number, connection in enumerate(swarm.connections):
            swarm.write(connection, batch(FRAMES, first=number * FRAMES))
        swarm.run(lambda: not any(c.output for c in swarm.connections), 60)
        time.sleep(1)
        busy = server.figures
        for number, connection in enumerate(swarm.connections):
            swarm.write(connection, bad(number))
        swarm.run(lambda: swarm.count("ended", "failed") == len(swarm.connections), 60)
        traffic = time.monotonic() - start
        right = sum(1 for n, c in enumerate(swarm.connections) if bytes(c.input[:ERROR_BYTES]) == refusal(n))
        swarm.close()
        time.sleep(3)
        after = server.figures
        status, _ = server.stop()
    figures = [
        f"{opened:,} handshakes in {seconds:.0f} s ({idle.cpu - before.cpu:.1f} s CPU of the server)",
        f"{each / 1024:.1f} KiB resident per idle connection",
        f"{(busy.resident - before.resident) / max(1, opened) / 1024:.1f} KiB after {FRAMES} frames on each",
        f"{right:,} of {len(swarm.connections):,} answered with their own six bytes, in {traffic:.0f} s",
        f"descriptors {before.descriptors - 8} before, {idle.descriptors} with all, {after.descriptors} after",
        f"resident {before.resident >> 20} MiB before, {idle.resident >> 20} with all, "
        f"{after.resident >> 20} after",
    ]
    held = (opened == COUNT and each <= PER_CONNECTION and right == COUNT + 8 and status == 0
            and after.descriptors <= before.descriptors - 8)
    return figures, "24 KiB per idle connection, all answered, no descriptor left", held
