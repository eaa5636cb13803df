"""Mixed traffic of both interfaces, good, bad and hostile, leaves no growth of memory, descriptors or threads behind once it is warm."""

import json
import os
import random
import socket
import ssl
import statistics
import threading
import time
import urllib.error
import urllib.request

from http2_provider import BEGINNING, END_HEADERS, HEADERS, accepted, block, frame, goodbye, requests
from provider import PAYLOAD, bad, batch, enhanced, refusal, token
from server import TOPIC, Server

# Traffic goes in bursts. After each one it rests and the simulator begins again: what the process has by then is what it
# needs, without a history that is still filling (100,000 events and 10,000 closed connections take a while). So much of
# the time warms it up.
BURST = 10
WARM = 0.3
GROWTH = 0.05
LEAST_GROWTH = 8 << 20
WHAT = ("resident", "descriptors", "threads", "workers")
# Workers that may rest in the system's pool at the end: one for each core.
WORKERS = os.cpu_count() or 1


class Traffic:
    """Actors that go on until they are stopped, each with a seed of its own, and what they count."""

    def __init__(self, server):
        self.server = server
        self.context = server.context()
        self.stopped = threading.Event()
        self.counts = {}
        self.problems = []
        self.lock = threading.Lock()

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + number

    def connect(self, port=None):
        plain = socket.create_connection((self.server.host, port or self.server.gateway), timeout=20)
        return self.context.wrap_socket(plain, server_hostname=self.server.host, suppress_ragged_eofs=False)

    def actor(self, body, seed):
        generator = random.Random(seed)

        def loop():
            while not self.stopped.is_set():
                try:
                    body(generator)
                except (OSError, ssl.SSLError):
                    if not self.stopped.is_set():
                        self.count("broken")
                except AssertionError as problem:
                    self.problems.append(str(problem))
                    return

        thread = threading.Thread(target=loop, daemon=True)
        thread.start()
        return thread

    def pause(self, generator, most):
        self.stopped.wait(generator.random() * most)

    # The actors. Each call is one visit.

    def good(self, generator):
        """Sends, asks at the end with a bad frame, and is told which."""
        with self.connect() as connection:
            for _ in range(generator.randint(1, 20)):
                count = generator.randint(1, 300)
                connection.sendall(batch(count, devices=500))
                self.count("good notifications", count)
                self.pause(generator, 0.02)
            number = generator.getrandbits(31)
            connection.sendall(bad(number))
            answer = connection.recv(64)
            assert answer[:6] == refusal(number), f"expected {refusal(number).hex()}, got {answer.hex()}"
        self.count("answered")

    def hasty(self, generator):
        """Connects, sends a little and is gone without a word."""
        connection = self.connect()
        connection.sendall(batch(generator.randint(1, 5)))
        if generator.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        connection.close()
        self.count("left without a word")
        self.pause(generator, 0.05)

    def bad(self, generator):
        """Writes bad frames of all kinds, and more after them."""
        with self.connect() as connection:
            payload = generator.choice([b"", b"{", b'{"aps":[]}', b"\xff" * 50, PAYLOAD * 20, b'{"aps":{}} x'])
            frame = generator.choice([
                enhanced(1, token(3), payload), enhanced(1, token(3)[:5]), b"\x07garbage",
                b"\x02\x00\x00\x00\x00", b"\x02\xff\xff\xff\xff", enhanced(1, b"APNSIM\xe0\x0a" + bytes(24)),
                enhanced(1, b"APNSIM\xd0\x01" + bytes(24)), enhanced(1, b"APNSIM\xfb\x00" + token(9)[:24]),
                enhanced(1, b"APNSIM\x1a\x02" + token(8)[:24]),
            ])
            connection.sendall(frame + batch(generator.randint(0, 50), devices=500))
            connection.settimeout(0.3)
            try:
                connection.recv(64)
            except TimeoutError:
                pass
        self.count("bad frames")

    def pusher(self, generator):
        """Pushes over HTTP/2, as many at once as it likes, and reads every answer; some leave without, some misbehave."""
        with self.connect(self.server.endpoints["http2"]) as connection:
            connection.sendall(BEGINNING)
            first = 0
            for _ in range(generator.randint(1, 10)):
                count = generator.randint(1, 200)
                connection.sendall(requests(count, lambda number: token(1 + number % 500), first))
                first += count
                read = b""
                if generator.random() < 0.05:
                    return self.count("pushers that left without answers")
                while len(accepted(read)) < count:
                    chunk = connection.recv(65_536)
                    assert chunk, f"a pusher was ended: {goodbye(read)}"
                    read += chunk
                self.count("pushes", count)
            kind = generator.randrange(4)
            if kind:
                # A stream that is even, a frame that is too long, a header block that is none.
                connection.sendall([
                    b"", frame(HEADERS, END_HEADERS, 2, block(token(1))), b"\x00\x50\x00\x00\x00\0\0\0\x01",
                    frame(HEADERS, END_HEADERS, 2 * first + 1, generator.randbytes(40)),
                ][kind])
                connection.settimeout(0.3)
                try:
                    while connection.recv(4096):
                        pass
                except TimeoutError:
                    pass
                self.count("pushers that misbehaved")

    def hostile(self, generator):
        """Speaks anything but TLS, or half of it."""
        port = generator.choice([
            self.server.gateway, self.server.feedback, self.server.endpoints["device"], self.server.endpoints["http2"],
        ])
        with socket.create_connection((self.server.host, port), timeout=5) as plain:
            kind = generator.randrange(4)
            if kind == 0:
                plain.sendall(generator.randbytes(generator.randint(1, 2000)))
            elif kind == 1:
                plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
            elif kind == 2:
                plain.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + generator.randbytes(300))
            plain.settimeout(0.2)
            try:
                plain.recv(100)
            except TimeoutError:
                pass
        self.count("hostile peers")

    def reader(self, generator):
        with self.connect(self.server.feedback) as connection:
            if generator.random() < 0.7:
                received = b""
                while chunk := connection.recv(65536):
                    received += chunk
                assert len(received) % 38 == 0, f"{len(received)} bytes of feedback"
                self.count("feedback tuples", len(received) // 38)
        self.count("feedback reads")
        self.pause(generator, 0.1)

    def device(self, generator, context):
        plain = socket.create_connection((self.server.host, self.server.endpoints["device"]), timeout=20)
        with context.wrap_socket(plain, server_hostname=self.server.host) as connection:
            connection.sendall(json.dumps({"apps": [TOPIC, "com.example.two"]}).encode() + b"\n")
            lines = connection.makefile("rb")
            tokens = json.loads(lines.readline())["tokens"]
            own = bytes.fromhex(tokens[0]["token"])
            with self.connect() as provider:
                provider.sendall(b"".join(enhanced(n, own) for n in range(20)))
                for _ in range(generator.randint(1, 20)):
                    assert b"payload" in lines.readline(), "a device was told something else"
                    self.count("device lines")
                connection.sendall(b'{"uninstall":"com.example.two"}\n')
        self.pause(generator, 0.05)

    def control(self, generator):
        base = self.server.endpoints["control"]
        path = generator.choice(["/readyz", "/livez", "/api/v1/notifications?limit=50", "/api/v1/nothing"])
        try:
            with urllib.request.urlopen(base + path, timeout=10) as answer:
                answer.read()
        except urllib.error.HTTPError as problem:
            assert problem.code < 500, f"{path} was answered {problem.code}"
            problem.read()
        self.count("control requests")
        self.pause(generator, 0.05)


def device_context(setup, server):
    import subprocess  # pylint: disable=import-outside-toplevel

    from server import BINARY  # pylint: disable=import-outside-toplevel
    prefix = setup.root / "mixed-device"
    subprocess.run([BINARY, "certs", "issue", "--device", "mixed", "--certs", setup.certificates, "-o", prefix],
                   check=True, capture_output=True)
    context = ssl.create_default_context(cafile=server.endpoints["ca"])
    context.load_cert_chain(f"{prefix}.pem", f"{prefix}.key")
    return context


def begin_again(server):
    """Lets go of what is remembered of the past, where the control API is there."""
    base = server.endpoints.get("control")
    for method, path in (("POST", "/api/v1/reset"), ("DELETE", "/api/v1/notifications")) if base else ():
        request = urllib.request.Request(base + path, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                answer.read()
            return
        except urllib.error.HTTPError as problem:
            problem.read()


def run(setup):
    seconds = setup.seconds
    with Server(setup, "--keep", 2000, "--linger", "500ms", "--handshake-timeout", "2s",
                "--storage-period", "10s", record=os.devnull) as server:
        traffic = Traffic(server)
        devices = device_context(setup, server)
        bodies = [traffic.good, traffic.good, traffic.pusher, traffic.pusher, traffic.hasty, traffic.bad, traffic.hostile, traffic.reader,
                  lambda generator: traffic.device(generator, devices)]
        if server.endpoints.get("control"):
            bodies.append(traffic.control)
        samples = []

        def go_on(seconds):
            """Traffic for so long, then rest; what the process uses then."""
            traffic.stopped.clear()
            threads = [traffic.actor(body, seed) for seed, body in enumerate(bodies)]
            start = time.monotonic()
            while time.monotonic() - start < seconds and not server.ended and not traffic.problems:
                samples.append(server.figures)
                time.sleep(0.5)
            traffic.stopped.set()
            for thread in threads:
                thread.join(30)
            assert not server.ended, f"the server ended: {server.log[-500:]}"
            time.sleep(1)
            begin_again(server)
            # A peer that left in the middle of its handshake goes when that may take no longer.
            rests = []
            for _ in range(5):
                time.sleep(0.5)
                rests.append(server.figures)
            return min(rests, key=lambda rest: rest.descriptors)

        rests, started = [], time.monotonic()
        while time.monotonic() - started < seconds and not traffic.problems:
            rests.append(go_on(min(BURST, seconds / 10)))
        status, took = server.stop()
    rests = rests[int(len(rests) * WARM):]
    third = max(1, len(rests) // 3)
    # One that was there: the mean of two would be half a descriptor.
    warm = {what: statistics.median_low(getattr(rest, what) for rest in rests[:third]) for what in WHAT}
    last = {what: statistics.median_low(getattr(rest, what) for rest in rests[-third:]) for what in WHAT}
    most = max(sample.resident for sample in samples)
    grown = last["resident"] - warm["resident"]
    figures = [
        f"{seconds} s: " + ", ".join(f"{count:,} {what}" for what, count in sorted(traffic.counts.items())),
        f"resident at rest {warm['resident'] / (1 << 20):.1f} MiB when warm, {last['resident'] / (1 << 20):.1f} at the "
        f"end; {most / (1 << 20):.1f} at most under traffic",
        f"descriptors at rest {warm['descriptors']:.0f} and {last['descriptors']:.0f}, "
        f"{max(s.descriptors for s in samples)} at most",
        f"threads at rest {warm['threads']} and {last['threads']}, workers in the system's pool {warm['workers']} and "
        f"{last['workers']}; exit {status} after {took:.1f} s",
        *traffic.problems,
    ]
    held = (grown <= max(LEAST_GROWTH, GROWTH * warm["resident"]) and last["descriptors"] <= warm["descriptors"]
            and last["threads"] <= warm["threads"] and last["workers"] <= warm["workers"] + WORKERS
            and status == 0 and not traffic.problems)
    bound = (f"{GROWTH * 100:.0f} % or {LEAST_GROWTH >> 20} MiB of memory, no descriptor, no thread, "
             f"{WORKERS} workers of the pool")
    return figures, bound, held
