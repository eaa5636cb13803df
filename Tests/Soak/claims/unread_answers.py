"""Providers that never read, while errors and feedback pile up for them, cost no more than a small buffer each."""

import time

from provider import Swarm, bad, batch, enhanced, token
from server import TOPIC, Server, wait_until

PROVIDERS = 500
READERS = 100
TUPLES = 20_000
MIB = 1 << 20


def run(setup):
    devices = {
        f"gone{n}": {"apps": [{"topic": TOPIC, "token": token(5_000_000 + n).hex(), "installed": False}]}
        for n in range(100)
    }
    scenario = {"version": 1, "name": "removed apps", "apps": {TOPIC: {"environment": "production"}},
                "devices": devices, "settings": {"feedbackKeep": True}}
    with Server(setup, "--keep", 1000, "--idle-timeout", "10s", scenario=scenario) as server:
        # Tokens of the kind that the magic table calls uninstalled fill the feedback list: 38 bytes each.
        magic = b"".join(
            enhanced(n, bytes.fromhex("41504e53494dfb00") + n.to_bytes(8, "big") * 3) for n in range(TUPLES))
        with server.connect() as filler:
            filler.sendall(magic + bad(1))
            filler.recv(64)
        base = server.figures
        swarm = Swarm(server)
        swarm.open(PROVIDERS)
        readers = Swarm(server, server.feedback)
        for _ in range(READERS):
            readers.add().reads = False
        readers.run(lambda: readers.count("open") == READERS, 30)
        opened = server.figures
        for number, connection in enumerate(swarm.connections):
            connection.reads = False
            swarm.write(connection, batch(20) + bad(number) + batch(200))
        swarm.run(lambda: not any(c.output for c in swarm.connections), 20)
        time.sleep(1)
        piled = server.figures
        # The linger time ends the gateway's, the idle time the feedback service's.
        wait_until(lambda: server.figures.descriptors <= base.descriptors + 2, "connections to be given up", 40)
        final = server.figures
        swarm.close()
        readers.close()
        status, _ = server.stop()
    each = (opened.resident - base.resident) / (PROVIDERS + READERS)
    grown = (piled.resident - opened.resident) / (PROVIDERS + READERS)
    figures = [
        f"{PROVIDERS} providers with an unread error and {READERS} readers of {TUPLES:,} tuples "
        f"({TUPLES * 38 // 1024} KiB) that do not read",
        f"{each / 1024:.0f} KiB resident each when connected, {grown / 1024:.0f} KiB more with everything piled up",
        f"all given up by linger and idle time; resident {base.resident >> 20}, {opened.resident >> 20}, "
        f"{piled.resident >> 20}, {final.resident >> 20} MiB at rest, connected, piled up, afterwards",
    ]
    return figures, "256 KiB each in all, nothing left afterwards", each + grown < 256 * 1024 and status == 0
