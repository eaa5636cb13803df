"""Peers that never finish a handshake are bounded in number and time, and providers do not feel them."""

import select
import socket
import statistics
import time

from provider import Swarm, bad, refusal
from server import Server, wait_until

SILENT, SLOW, MUTE = 600, 100, 200
MOST = 256
TIMEOUT = 3
SECONDS = 8
HELLO = bytes.fromhex("16030101f0010001ec0303") + bytes(480)


def good_provider(server):
    """One whole visit: connect, a bad frame, its answer. The seconds it took."""
    start = time.monotonic()
    with server.connect() as connection:
        connection.sendall(bad(3))
        assert connection.recv(64)[:6] == refusal(3), "a provider was answered something else"
    return time.monotonic() - start


def run(setup):
    flags = ("--handshake-timeout", f"{TIMEOUT}s", "--max-handshakes", MOST, "--idle-timeout", f"{TIMEOUT + 2}s")
    with Server(setup, *flags) as server:
        alone = [good_provider(server) for _ in range(20)]
        base = server.figures
        address = (server.host, server.gateway)
        peers = [socket.create_connection(address) for _ in range(SILENT + SLOW)]
        slow = peers[SILENT:]
        mute = Swarm(server)
        mute.open(MUTE)
        crowded, most, sent, start = [], 0, 0, time.monotonic()
        last = start
        while time.monotonic() - start < SECONDS:
            crowded.append(good_provider(server))
            mute.turn(0)
            most = max(most, server.figures.descriptors)
            if time.monotonic() - last >= 1:
                # One byte a second from each: some of something that looks like a ClientHello.
                for peer in slow:
                    try:
                        peer.send(HELLO[sent:sent + 1])
                    except OSError:
                        pass
                sent, last = sent + 1, time.monotonic()
        mute_over = mute.run(lambda: mute.count("ended", "failed") == MUTE, 10)
        poll = select.poll()
        for peer in peers:
            poll.register(peer, select.POLLIN | select.POLLHUP)
        gone = len(poll.poll(0))
        wait_until(lambda: server.figures.descriptors <= base.descriptors + 2, "descriptors to be given back", 15)
        final = server.figures
        for peer in peers:
            peer.close()
        mute.close()
        status, _ = server.stop()
    alone_ms, crowd_ms = (statistics.median(values) * 1000 for values in (alone, crowded))
    worst = max(crowded) * 1000
    held_most = most - base.descriptors
    figures = [
        f"{SILENT} silent, {SLOW} at a byte a second, {MUTE} that finish and say nothing",
        f"at most {held_most} descriptors above the {base.descriptors} at rest, {gone} of {SILENT + SLOW} dropped "
        f"within {SECONDS} s, the mute ones {'all' if mute_over else 'NOT all'} after the idle time",
        f"meanwhile {len(crowded)} providers, each answered: median {crowd_ms:.1f} ms (alone {alone_ms:.1f}), "
        f"worst {worst:.0f}",
        f"resident {base.resident >> 20} to {final.resident >> 20} MiB",
    ]
    held = (held_most <= MOST + MUTE + 16 and gone == SILENT + SLOW and mute_over and status == 0
            and worst < 2000)
    return figures, f"{MOST} unfinished at once, {TIMEOUT} s each, no provider waits 2 s", held
