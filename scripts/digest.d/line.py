"""A TLS connection that never waits: each record that has come is taken alone, which shows what was sent together."""

import contextlib
import fcntl
import socket
import ssl
import termios
import time

from served import PATIENCE

ALERT = 21
CLOSED = 7  # TCP_CLOSE of Linux


class Line:
    """The provider's side. `heard` has what came, in order: bytes, those of a record in one piece, and words for the rest."""

    def __init__(self, port, context):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setblocking(False)
        # Bytes leave when they are written, whether or not those before them have been acknowledged.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.arriving, self.leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.arriving, self.leaving, server_hostname="localhost")
        self.rest, self.heard = b"", []
        self.is_open = self.has_ended = self.is_closed = False
        self.advance()

    def pump(self):
        """Takes in what has come, and answers in the handshake; true if there was something."""
        has_moved = False
        while not self.has_ended and (read := self.read()):
            has_moved, self.rest = True, self.rest + read
            while len(self.rest) >= 5 and len(self.rest) >= (size := 5 + int.from_bytes(self.rest[3:5], "big")):
                record, self.rest = self.rest[:size], self.rest[size:]
                self.take(record)
        return has_moved

    def take(self, record):
        self.arriving.write(record)
        if record[0] == ALERT and not self.is_open:
            self.heard.append(f"alert {record[6]}")
            with contextlib.suppress(ssl.SSLError):
                self.tls.do_handshake()
        else:
            self.advance()

    def advance(self):
        """Goes on with the handshake, or reads what is there."""
        try:
            if not self.is_open:
                self.tls.do_handshake()
                self.is_open = True
                self.heard.append(f"handshake {self.tls.version()}")
            self.heard.append(self.tls.read(1 << 16) or "close_notify")
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.heard.append("close_notify")
        except ssl.SSLError as error:
            self.heard.append(f"TLS error {error.reason}")
        self.send()

    def write(self, data):
        """Sends the bytes as one record."""
        if self.is_open and not self.has_ended:
            with contextlib.suppress(ssl.SSLError):
                self.tls.write(data)
            self.send()

    def finish(self, says_so=True):
        """Sends close_notify, unless it is to say nothing, and the end of this side."""
        if self.is_open and says_so:
            with contextlib.suppress(ssl.SSLError):
                self.tls.unwrap()
            self.send()
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def wait_for_arrival(self):
        """Returns when everything that was sent, this side's end included, is with the system of the other side."""
        deadline = time.monotonic() + PATIENCE
        while not self.is_closed and self.is_connected() and any(fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4))):
            if time.monotonic() > deadline:
                raise TimeoutError("what was sent has not arrived")
            time.sleep(0)

    def is_connected(self):
        """Whether neither side has reset the connection, nor both have ended it."""
        return self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != CLOSED

    def close(self):
        self.has_ended = self.is_closed = True
        self.socket.close()

    def send(self):
        """Sends what TLS has made. All of it is less than a socket takes at once."""
        if (data := self.leaving.read()) and not self.has_ended:
            try:
                self.socket.sendall(data)
            except OSError:
                self.end("reset")

    def read(self):
        try:
            read = self.socket.recv(1 << 16)
        except BlockingIOError:
            return b""
        except OSError:
            self.end("reset")
            return b""
        if not read:
            self.end("end")
        return read

    def end(self, how):
        self.has_ended = True
        self.heard.append(how)
