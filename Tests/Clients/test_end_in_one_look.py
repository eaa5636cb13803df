"""Clients that look once: Go's `Read` returns the six bytes and the end together where it finds both, and whoever looks
at the error first has lost the bytes. A pause before close_notify keeps them apart."""

import select
import ssl

import pytest

from frames import enhanced, error_response
from simulator import PATIENCE, device, scenario, token

RUNS = 50
GOOD, UNKNOWN = token(1), token(2)


class OneLook:
    """A TLS client that is told of what one read of the socket brought, as a Go program is."""

    def __init__(self, simulator):
        self.socket = simulator.connect_plain(simulator.gateway)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = simulator.context().wrap_bio(self.incoming, self.outgoing, server_hostname=simulator.host)
        while not self.step(self.tls.do_handshake):
            self.incoming.write(self.socket.recv(65536))

    def step(self, action):
        try:
            action()
            return True
        except ssl.SSLWantReadError:
            return False
        finally:
            if self.outgoing.pending:
                self.socket.sendall(self.outgoing.read())

    def send(self, data):
        self.step(lambda: self.tls.write(data))

    def look(self):
        """What one read of the socket brings: the bytes, and whether the end came with them."""
        self.incoming.write(self.socket.recv(65536))
        received = b""
        while True:
            try:
                more = self.tls.read(65536)
            except ssl.SSLWantReadError:
                return received, False
            except ssl.SSLZeroReturnError:
                return received, True
            if not more:
                return received, True
            received += more

    def close(self):
        self.socket.close()


def looks(simulator, event):
    """Whether the end came with the six bytes, of many connections; each looks once the event is there."""
    for number in range(RUNS):
        client = OneLook(simulator)
        client.send(enhanced(number, UNKNOWN))
        poll = select.poll()
        poll.register(client.socket, event)
        received, ended = b"", False
        while not received and not ended:
            assert poll.poll(1_000 * PATIENCE), "nothing came"
            received, ended = client.look()
        assert received == error_response(8, number)
        yield ended
        client.close()


def test_the_error_response_comes_before_the_end(start):
    # Longer than any machine is too busy to look; whoever has looked closes, and is not waited for.
    simulator = start("--tokens", "known", "--ending-pause", f"{PATIENCE}s", scenario=scenario(devices=[device(GOOD)]))
    assert not any(looks(simulator, select.POLLIN))


@pytest.mark.parametrize("flags", [("--ending-pause", "0"), ("--quirk", "gluedClose")], ids="=".join)
def test_without_the_pause_both_are_there_for_whoever_comes_later(start, flags):
    simulator = start("--tokens", "known", *flags, scenario=scenario(devices=[device(GOOD)]))
    assert all(looks(simulator, select.POLLRDHUP))
