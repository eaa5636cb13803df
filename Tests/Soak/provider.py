"""What providers write and read, byte by byte, and many connections at once on one thread."""

import errno
import select
import socket
import ssl
import struct
import time

PAYLOAD = b'{"aps":{"alert":"Hello","badge":1}}'
ERROR_BYTES = 6


def token(number):
    """The device token number so and so; none of them is a magic one."""
    return struct.pack(">Q", number) * 4


def enhanced(identifier, device_token, payload=PAYLOAD):
    """Command 1: command, identifier, expiry, token length, token, payload length, payload."""
    head = struct.pack(">BIIH", 1, identifier & 0xFFFFFFFF, 0x7FFFFFFF, len(device_token))
    return head + device_token + struct.pack(">H", len(payload)) + payload


def bad(identifier):
    """A frame that is refused with status 5: its token is a byte short."""
    return enhanced(identifier, token(1)[:-1])


def refusal(identifier, status=5):
    """The six bytes that answer it: command 8, status, identifier."""
    return struct.pack(">BBI", 8, status, identifier)


def batch(count, first=1, devices=1000, payload=PAYLOAD):
    return b"".join(enhanced(n, token(1 + n % devices), payload) for n in range(first, first + count))


class Connection:
    """One non-blocking connection: what is to be written, what was read, and how far it is."""

    def __init__(self, address, context):
        self.context, self.host = context, address[0]
        self.output, self.input = memoryview(b""), bytearray()
        self.state = "connecting"  # then shaking, open, ended (in order), failed
        self.reads = True
        self.most = None  # bytes to read before it reads no more
        self.error = self.ended_at = None
        self.events = select.EPOLLOUT
        self.socket = socket.socket()
        self.socket.setblocking(False)
        code = self.socket.connect_ex(address)
        if code not in (0, errno.EINPROGRESS):
            raise OSError(code, "connect")
        self.descriptor = self.socket.fileno()

    @property
    def is_over(self):
        return self.state in ("ended", "failed")

    def write(self, data):
        self.output = memoryview(bytes(self.output) + data)

    def advance(self):
        """Goes on as far as the socket lets it, and says in `events` what it waits for."""
        waits = 0
        try:
            if self.state == "connecting":
                if code := self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    raise OSError(code, "connect")
                self.socket = self.context.wrap_socket(
                    self.socket, do_handshake_on_connect=False, server_hostname=self.host,
                    suppress_ragged_eofs=False)
                self.state = "shaking"
            if self.state == "shaking":
                self.socket.do_handshake()
                self.state = "open"
            while self.output:
                self.output = self.output[self.socket.send(self.output[:262_144]):]
        except ssl.SSLWantReadError:
            waits |= select.EPOLLIN
        except ssl.SSLWantWriteError:
            waits |= select.EPOLLOUT
        except OSError as error:
            # Bytes that the other side sent before it closed may still be there.
            self.error, self.output = error, memoryview(b"")
        try:
            if self.state != "open":
                if self.error:
                    raise self.error
            elif self.reads:
                waits |= select.EPOLLIN
                while chunk := self.socket.recv(65_536 if self.most is None else self.most - len(self.input)):
                    self.input += chunk
                    if len(self.input) == self.most:
                        self.reads, waits = False, waits & ~select.EPOLLIN
                        break
                else:
                    return self.end("ended")
        except ssl.SSLWantReadError:
            pass
        except OSError as error:
            self.error = error
            return self.end("failed")
        self.events = waits

    def end(self, state):
        self.state, self.ended_at = state, time.monotonic()
        self.socket.close()


class Swarm:
    """Many connections to one port, on one thread."""

    def __init__(self, server, port=None):
        self.address = (server.host, port or server.gateway)
        self.context = server.context()
        self.poll = select.epoll()
        self.connections = []
        self.by_descriptor = {}

    def open(self, count, parallel=100, seconds=180):
        """Completes so many handshakes, no more than `parallel` at once. Returns the seconds it took."""
        start = time.monotonic()
        left, busy = count, []
        while (left or busy) and time.monotonic() - start < seconds:
            while left and len(busy) < parallel:
                busy.append(self.add())
                left -= 1
            self.turn(0.05)
            busy = [c for c in busy if c.state in ("connecting", "shaking")]
        return time.monotonic() - start

    def add(self):
        connection = Connection(self.address, self.context)
        self.connections.append(connection)
        self.by_descriptor[connection.descriptor] = connection
        self.poll.register(connection.descriptor, connection.events)
        return connection

    def turn(self, timeout):
        for descriptor, _ in self.poll.poll(timeout):
            if connection := self.by_descriptor.get(descriptor):
                self.advance(connection)

    def advance(self, connection):
        if connection.is_over:
            return
        connection.advance()
        if connection.is_over:
            # Closing took it out of the poll.
            self.by_descriptor.pop(connection.descriptor, None)
        else:
            self.poll.modify(connection.descriptor, connection.events)

    def write(self, connection, data):
        connection.write(data)
        self.advance(connection)

    def run(self, condition, seconds):
        """Goes on until the condition holds; False when it does not in time."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            self.turn(0.05)
        return True

    def count(self, *states):
        return sum(1 for c in self.connections if c.state in states)

    def close(self):
        for connection in self.connections:
            if not connection.is_over:
                connection.end("ended")
        self.poll.close()
