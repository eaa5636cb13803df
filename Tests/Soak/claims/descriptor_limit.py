"""When descriptors run out accepting pauses, says so once, costs nothing, and goes on when there is room."""

import resource
import time

from provider import ERROR_BYTES, Swarm, bad, refusal
from server import Server, wait_until

LIMIT = 200
COUNT = 300
PAUSED = "no more connections for now"
RESUMED = "accepts connections again"
SECONDS = 3


def run(setup):
    with Server(setup, limits=[(resource.RLIMIT_NOFILE, LIMIT)]) as server:
        swarm = Swarm(server)
        for _ in range(COUNT):
            swarm.add()
        swarm.run(lambda: PAUSED in server.log and swarm.count("open") > LIMIT // 2, 30)
        swarm.run(lambda: False, 1)
        opened = [c for c in swarm.connections if c.state == "open"]
        start, before = time.monotonic(), server.figures
        swarm.run(lambda: False, SECONDS)
        after = server.figures
        load = (after.cpu - before.cpu) / (time.monotonic() - start)
        during = server.log.count(PAUSED)

        # Connections that are in are served, and as they leave the others come in, until all have had their turn.
        for number, connection in enumerate(swarm.connections):
            connection.write(bad(number))
            if connection.state == "open":
                swarm.advance(connection)
        done = swarm.run(lambda: swarm.count("ended", "failed") == COUNT, 60)
        right = sum(1 for n, c in enumerate(swarm.connections) if bytes(c.input[:ERROR_BYTES]) == refusal(n))
        swarm.close()
        time.sleep(1.5)
        with server.connect() as late:
            late.sendall(bad(7))
            late_answer = late.recv(64)
        wait_until(lambda: RESUMED in server.log, "the line that says it goes on")
        paused, resumed = server.log.count(PAUSED), server.log.count(RESUMED)
        final = server.figures
        status, _ = server.stop()
    figures = [
        f"{len(opened)} of {COUNT} connections in under a limit of {LIMIT} descriptors, {after.descriptors} used",
        f"{load * 100:.1f} % of a core while waiting",
        f"said so {during} time(s) in that pause, {paused} in all, and {resumed} time(s) that it goes on",
        f"{right} of {COUNT} answered once there was room; {final.descriptors} descriptors at the end",
    ]
    held = (during == 1 and resumed >= 1 and load < 0.1 and done and right == COUNT and late_answer == refusal(7)
            and len(opened) < COUNT and status == 0)
    return figures, "1 line per pause, under 10 % of a core, every provider answered in the end", held
