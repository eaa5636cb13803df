"""A server of the program that is looked at, its control API, and a way to know that it has done all there was to do."""

import http.client
import json
import select
import signal
import socket
import ssl
import subprocess

from http2_provider import BEGINNING, END_HEADERS, END_STREAM, HEADERS, field, frame, frames

PATIENCE = 60  # seconds that only a hang takes
START = "2026-01-01T00:00:00Z"
# :method GET, :path / and :scheme https stand in the static table.
ASKING = b"\x82\x84\x87" + field(":authority", "localhost")
WINDOW_UPDATE = 8


class Server:
    """`apnsim serve` on free ports, under a virtual clock that begins at `START`. Leaving the `with` block ends it."""

    def __init__(self, program, folder, *flags, name="server"):
        self.log = folder / f"{name}.log"
        self.command = [
            str(program), "serve", "--ephemeral", "--print", "json", "--certs", str(folder / "certs"), "--seed", "1",
            "--clock", f"virtual@{START}", *map(str, flags)]

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        is_heard, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if is_heard else ""
        if not line:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            raise RuntimeError(f"{' '.join(self.command)} was never ready: {self.log.read_text(errors='replace')}")
        self.ends = json.loads(line)
        self.address = self.ends["control"].removeprefix("http://")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()

    def call(self, method, path, body=None, base="/api/v1"):
        """The status and the text of an answer of the control API."""
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        try:
            headers = {} if body is None else {"content-type": "application/json"}
            text = body if body is None or isinstance(body, str) else json.dumps(body)
            connection.request(method, base + path, text, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def context(self, has_certificate):
        """The TLS settings of a provider with a certificate, or of one with tokens."""
        context = ssl.create_default_context(cafile=self.ends["ca"])
        if has_certificate:
            context.load_cert_chain(self.ends["providerCertificate"], self.ends["providerKey"])
        else:
            context.set_alpn_protocols(["h2"])
        return context


class Probe:
    """A connection of requests to the server itself, beside those to its sandboxes, which share its loops."""

    def __init__(self, server):
        context = server.context(False)
        plain = socket.create_connection(("127.0.0.1", server.ends["http2"]), PATIENCE)
        self.socket = context.wrap_socket(plain, server_hostname="localhost")
        whole_window = (1 << 31) - 1 - 65_535
        self.socket.sendall(BEGINNING + frame(WINDOW_UPDATE, payload=whole_window.to_bytes(4, "big")))
        self.stream, self.read = -1, b""
        self.ask()

    def ask(self):
        """Sends a request and waits for its answer."""
        self.stream += 2
        self.socket.sendall(frame(HEADERS, END_STREAM | END_HEADERS, self.stream, ASKING))
        while not self.is_answered():
            if not (read := self.socket.recv(1 << 16)):
                raise RuntimeError("the server closed the connection of a probe")
            self.read += read

    def is_answered(self):
        """Whether the end of the latest stream is there; what has been looked at is let go."""
        seen = 0
        for kind, flags, stream, payload in frames(self.read):
            seen += 9 + len(payload)
            if stream == self.stream and flags & END_STREAM and kind in (0, HEADERS):
                self.read = self.read[seen:]
                return True
        self.read = self.read[seen:]
        return False

    def close(self):
        self.socket.close()


class Loops:
    """Every loop of a server: what had reached the server before `turn` was called is done when it returns."""

    # Accepting a connection, giving it to its loop, reading, performing and being woken up take a turn each.
    TURNS = 6

    def __init__(self, server, count):
        # Connections are given to the loops in turn.
        self.probes = [Probe(server) for _ in range(count)]

    def turn(self):
        for _ in range(self.TURNS):
            for probe in self.probes:
                probe.ask()

    def close(self):
        for probe in self.probes:
            probe.close()
