"""Providers that are connected and silent make way at the limit of connections, the oldest first; others stay."""

import statistics
import time

from provider import Swarm, bad, enhanced, refusal, token
from server import Server, wait_until

LIMIT = 500
SILENCE = 10
VISITS = 20
MADE_WAY = "made way for others"


def visit(server, number):
    """Connect, a bad frame, its answer. The seconds it took."""
    start = time.monotonic()
    with server.connect() as connection:
        connection.sendall(bad(number))
        assert connection.recv(64)[:6] == refusal(number), "a provider was answered something else"
    return time.monotonic() - start


def run(setup):
    with Server(setup, "--max-connections", LIMIT) as server:
        busy = server.connect()
        crowd = Swarm(server)
        crowd.open(LIMIT - 1)
        full = server.figures
        start, number = time.monotonic(), 0
        while time.monotonic() - start < SILENCE + 1:
            number += 1
            busy.sendall(enhanced(number, token(1)))
            crowd.run(lambda: False, 0.5)
        took = []
        for _ in range(VISITS):
            number += 1
            busy.sendall(enhanced(number, token(1)))
            took.append(visit(server, number))
        crowd.run(lambda: False, 1)
        gone = [c.state for c in crowd.connections].count("ended")
        busy.sendall(bad(number + 1))
        answer = busy.recv(64)[:6]
        busy.close()
        crowd.close()
        wait_until(lambda: server.figures.descriptors < full.descriptors - LIMIT // 2, "descriptors to be given back")
        said = server.log.count(MADE_WAY)
        status, _ = server.stop()
    figures = [
        f"{LIMIT - 1} silent providers and a busy one under a limit of {LIMIT}; {VISITS} more come one by one",
        f"the first was answered after {took[0] * 1000:.0f} ms, the others after "
        f"{statistics.median(took[1:]) * 1000:.0f} (median), {max(took[1:]) * 1000:.0f} (worst)",
        f"{gone} silent ones had to go, {said} lines in the log; the busy one, the oldest of all, stayed",
    ]
    held = answer == refusal(number + 1) and max(took) < 3 and 0 < gone <= VISITS + 1 and status == 0
    return figures, f"nobody waits 3 s, one goes for each and one before, {VISITS + 1} at most", held
