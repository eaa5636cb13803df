"""SIGTERM under full load: everything that was received is judged and answered, then exit 0 in bounded time."""

import os
import signal
import threading
import time

from provider import ERROR_BYTES, Swarm, bad, batch, refusal
from server import Server

COUNT = 64
FRAMES = 2000
DRAIN = 3
WRITERS = 8


def pending(setup):
    """Every provider has written all it has, a bad frame last, and waits: each must get its answer."""
    with Server(setup) as server:
        swarm = Swarm(server)
        swarm.open(COUNT)
        load = batch(FRAMES)
        # While it stands still the kernel takes what is written, so all of it waits when the signal comes.
        os.kill(server.pid, signal.SIGSTOP)
        for number, connection in enumerate(swarm.connections):
            swarm.write(connection, load + bad(number))
        written = swarm.run(lambda: not any(c.output for c in swarm.connections), 20)
        start = time.monotonic()
        server.terminate()
        os.kill(server.pid, signal.SIGCONT)
        swarm.run(lambda: swarm.count("ended", "failed") == COUNT, 20)
        status, _ = server.stop()
        seconds = time.monotonic() - start
        right = sum(1 for n, c in enumerate(swarm.connections) if bytes(c.input[:ERROR_BYTES]) == refusal(n))
        swarm.close()
        return right if written else 0, status, seconds


def endless(setup):
    """Providers that never stop writing cannot keep it from ending."""
    with Server(setup, "--drain", f"{DRAIN}s") as server:
        stopped = threading.Event()
        load = batch(300)

        def feed(connection):
            try:
                while not stopped.is_set():
                    connection.sendall(load)
            except OSError:
                pass

        connections = [server.connect() for _ in range(WRITERS)]
        threads = [threading.Thread(target=feed, args=(c,)) for c in connections]
        for thread in threads:
            thread.start()
        time.sleep(1)
        status, seconds = server.stop()
        stopped.set()
        for thread in threads:
            thread.join()
        for connection in connections:
            connection.close()
        return status, seconds


def run(setup):
    right, status, seconds = pending(setup)
    end_status, end_seconds = endless(setup)
    figures = [
        f"{COUNT} providers with {FRAMES:,} frames and a bad one each, all unread when the signal came: {right} answered, "
        f"exit {status} after {seconds:.1f} s",
        f"{WRITERS} providers that write for ever: exit {end_status} after {end_seconds:.1f} s",
    ]
    held = right == COUNT and status == 0 and end_status == 0 and end_seconds < DRAIN + 3
    return figures, f"all answered; the drain time ({DRAIN} s) and 3 s more", held
