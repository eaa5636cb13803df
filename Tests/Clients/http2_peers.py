"""Today's HTTP/2 stacks and provider libraries, as peers that are given requests and say what was answered."""

import asyncio
import functools
import json
import os
import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path

import pytest

import control
import simulator as apnsim

PEERS = Path(__file__).parent / "peers"
TOPIC = apnsim.TOPIC
PAYLOAD = '{"aps":{"alert":"hi"}}'


def program(name):
    """The path of a peer's program; without it the test is skipped, and says so."""
    return shutil.which(name) or pytest.skip(f"there is no {name}")


def jwt(simulator, *flags):
    """A provider token, as the README's curl line gets one."""
    return apnsim.apnsim("certs", "jwt", "--certs", simulator.certs, *flags).stdout.strip()


def context(simulator, identity=None):
    """Today's TLS settings, with ALPN."""
    context = ssl.create_default_context(cafile=simulator.ca)
    context.set_alpn_protocols(["h2"])
    if identity:
        context.load_cert_chain(identity.certificate, identity.key)
    return context


class Push:
    """A request as all peers are given it: a good push, unless some of it is replaced; a header of None is left out."""

    def __init__(self, token, number=1, method="POST", path=None, body=PAYLOAD, **headers):
        self.number, self.method, self.body = number, method, body
        self.path = path or f"/3/device/{apnsim.token(number)}"
        named = {"authorization": f"bearer {token}" if token else None, "apns-topic": TOPIC}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.named = {name: value for name, value in named.items() if value is not None}
        self.headers = [f"{name}: {value}" for name, value in self.named.items()]


class Peer:
    """A stack that answers each request: `(status, body)`, or `("error", why)`."""

    def __init__(self, simulator, identity=False):
        self.simulator, self.identity = simulator, simulator.provider if identity else None
        self.origin = f"https://localhost:{simulator.http2}"

    def can(self, request):
        """Whether it can send this."""
        return True

    def push(self, requests):
        return self.push_over_time([requests], [])[0]

    def push_thousand(self, token):
        """A thousand at once, over one connection."""
        return self.push([Push(token, number) for number in range(1, 1001)])

    def push_over_time(self, groups, spans):
        """The answers to groups of requests over one connection; between two of them, the clock is advanced by a span,
        where there is one."""
        raise NotImplementedError

    def advance(self, span):
        if span is None:
            return
        assert control.call("POST", *self.advancing(span))[0] == 200

    def advancing(self, span):
        return f"{self.simulator.control}/api/v1/clock/advance", {"by": span}

    def run(self, *command, text="", **environment):
        run = subprocess.run(
            [str(part) for part in command], input=text, capture_output=True, text=True, timeout=apnsim.PATIENCE,
            env=os.environ | environment)
        assert run.returncode == 0, f"{command[0]} ended with {run.returncode}: {run.stderr}"
        return run.stdout


# --- Programs ------------------------------------------------------------------------------------


class Curl(Peer):
    """One process for all requests, one after the other; a thousand of one kind as many at once as one connection has."""

    def push_over_time(self, groups, spans):
        transfers = []
        for index, group in enumerate(groups):
            if index and spans[index - 1]:
                url, body = self.advancing(spans[index - 1])
                transfers.append(self.transfer(
                    url, "POST", ["content-type: application/json"], json.dumps(body)) + ['output = "/dev/null"'])
            transfers += [
                self.transfer(self.origin + one.path, one.method, one.headers, one.body)
                + ["http2", r'write-out = "\n%{http_version} %{http_code}\n"'] for one in group]
        text = "\nnext\n".join("\n".join(transfer) for transfer in transfers)
        lines = iter(self.run(self.program(), "--config", "-", text=text).splitlines())
        return [[self.answer(next(lines), next(lines)) for _ in group] for group in groups]

    def transfer(self, url, method, headers, body):
        options = {"cacert": self.simulator.ca, "url": url, "request": method}
        if method != "GET":
            options["data"] = body
        if self.identity:
            options |= {"cert": self.identity.certificate, "key": self.identity.key}
        pairs = [*options.items(), *(("header", header) for header in headers)]
        quoted = [(name, value.replace("\\", "\\\\").replace('"', '\\"')) for name, value in pairs]
        return ["silent", "show-error", *(f'{name} = "{value}"' for name, value in quoted)]

    @staticmethod
    def answer(body, line):
        version, status = line.split()
        assert version == "2"
        return int(status), body

    def push_thousand(self, token):
        # 100 at once: as many as it takes a connection to allow before it has read SETTINGS.
        headers = [f"-H{header}" for header in Push(token).headers]
        lines = self.run(
            self.program(), "-sS", "--http2", "--parallel", "--parallel-max", "100", "--cacert", self.simulator.ca,
            *headers, "-d", PAYLOAD, "-w", "%{http_code}\n", f"{self.origin}/3/device/{'0' * 60}[0001-1000]")
        return [(int(line), "") for line in lines.splitlines()]

    @staticmethod
    def program():
        path = program("curl")
        if "HTTP2" not in subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout:
            pytest.skip("there is no curl with HTTP/2")
        return path


class Repeater(Peer):
    """One kind of request, as often as wanted, over a connection for each run."""

    def push(self, requests):
        return [answer for one in requests for answer in self.push_many(one, 1)]

    def push_thousand(self, token):
        return self.push_many(Push(token), 1000)

    def body(self, one):
        path = self.simulator.directory / "body"
        path.write_text(one.body)
        return [] if one.method == "GET" else [f"--data={path}"]

    def header_options(self, one):
        return [f"-H{header}" for header in [f":method: {one.method}", *one.headers]]


class Nghttp(Repeater):
    """Statuses are those of its statistics, the body that of its output."""

    def push_many(self, one, count):
        files = [f"--cert={self.identity.certificate}", f"--key={self.identity.key}"] if self.identity else []
        output = self.run(
            program("nghttp"), "--stat", f"--multiply={count}", *files, *self.header_options(one), *self.body(one),
            self.origin + one.path, SSL_CERT_FILE=self.simulator.ca)
        answer, statistics = output.split("***** Statistics *****")
        rows = [line.split() for line in statistics.splitlines() if line.rstrip().endswith(one.path)]
        assert len(rows) == count
        return [(int(row[-3]), answer.strip()) for row in rows]


class H2load(Repeater):
    """Statuses are those of its log, and what an answer says is not shown."""

    def push_many(self, one, count):
        log = self.simulator.directory / "h2load.log"
        log.unlink(missing_ok=True)
        self.run(
            program("h2load"), f"--requests={count}", "--clients=1", f"--max-concurrent-streams={count}",
            f"--log-file={log}", *self.header_options(one), *self.body(one), self.origin + one.path)
        return [(int(line.split()[1]), "") for line in log.read_text().splitlines()]


class Lines(Peer):
    """A program of `peers/`, which answers the lines before an empty one."""

    def push_over_time(self, groups, spans):
        errors = self.simulator.directory / "peer-errors"
        with open(errors, "w") as file, subprocess.Popen(
                [str(part) for part in self.command()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file,
                text=True) as process:
            try:
                answers = []
                for index, group in enumerate(groups):
                    if index and spans[index - 1]:
                        self.advance(spans[index - 1])
                    lines = ["\t".join([one.method, one.path, one.body, *one.headers]) for one in group]
                    process.stdin.write("\n".join(lines) + "\n\n")
                    process.stdin.flush()
                    answers.append([self.answer(process.stdout.readline()) for _ in group])
                process.stdin.close()
                assert process.wait(apnsim.PATIENCE) == 0
            except BaseException:
                process.kill()
                print(errors.read_text())
                raise
        return answers

    @staticmethod
    def answer(line):
        fields = line.rstrip("\n").split("\t")
        return ("error", fields[1]) if fields[0] == "error" else (int(fields[0]), fields[2])


class Node(Lines):
    def command(self):
        files = [self.identity.certificate, self.identity.key] if self.identity else []
        return [program("node"), PEERS / "push.mjs", self.origin, self.simulator.ca, *files]


class Java(Lines):
    def push(self, requests):
        # It begins a connection for each request while none is open, and knows no limit before the server's SETTINGS.
        first, others = self.push_over_time([requests[:1], requests[1:]], [None])
        return first + others

    def command(self):
        files = [self.identity.certificate.removesuffix(".pem") + ".p12"] if self.identity else []
        return [
            program("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", self.classes().name, "Push",
            self.origin, self.simulator.ca, *files]

    @staticmethod
    @functools.cache
    def classes():
        compiler, classes = program("javac"), tempfile.TemporaryDirectory(prefix="apnsim-peers-")
        subprocess.run([compiler, "-d", classes.name, str(PEERS / "Push.java")], check=True)
        return classes


# --- Libraries of Python -------------------------------------------------------------------------


class Httpx(Peer):
    def push_over_time(self, groups, spans):
        httpx = pytest.importorskip("httpx")

        async def send(client, one):
            content = None if one.method == "GET" else one.body
            answer = await client.request(one.method, self.origin + one.path, content=content, headers=one.named)
            assert answer.http_version == "HTTP/2"
            return answer.status_code, answer.text

        async def run():
            answers = []
            async with httpx.AsyncClient(
                    http1=False, http2=True, verify=context(self.simulator, self.identity),
                    limits=httpx.Limits(max_connections=1), timeout=apnsim.PATIENCE) as client:
                for index, group in enumerate(groups):
                    if index:
                        self.advance(spans[index - 1])
                    answers.append(await asyncio.gather(*(send(client, one) for one in group)))
            return answers

        return asyncio.run(run())


class Aioapns(Peer):
    """It makes its provider tokens itself, and writes method and path."""

    def can(self, request):
        token = request.named.get("authorization")
        return (token or self.identity) and request.method == "POST" and request.path.startswith("/3/device/")

    def push_over_time(self, groups, spans, **key):
        aioapns = pytest.importorskip("aioapns")

        async def run():
            provider = aioapns.APNs(
                topic=TOPIC, use_sandbox=False, ssl_context=context(self.simulator), max_connections=1,
                **({"client_cert": self.identity.combined} if self.identity else self.key() | key))
            # aioapns knows Apple's hosts only, and ends a connection that was quiet for ten seconds.
            pool, answers = provider.pool, []
            pool.protocol_class = type("Protocol", (pool.protocol_class,), {
                "APNS_SERVER": self.simulator.host, "APNS_PORT": self.simulator.http2, "INACTIVITY_TIME": apnsim.PATIENCE})
            beside = asyncio.ensure_future(self.beside(pool))
            try:
                for index, group in enumerate(groups):
                    if index:
                        self.advance(spans[index - 1])
                    requests = [self.request(aioapns, one) for one in group]
                    results = await asyncio.gather(*(provider.send_notification(one) for one in requests))
                    for one, result in zip(requests, results):
                        assert result.notification_id == one.notification_id
                    answers.append([self.answer(result) for result in results])
            finally:
                beside.cancel()
                pool.close()
            return answers

        return asyncio.run(run())

    async def beside(self, pool):
        """What happens to its connections while it pushes."""

    def key(self):
        simulator = self.simulator
        return {"key": Path(simulator.auth_key).read_text(), "key_id": simulator.key_id, "team_id": simulator.team_id}

    @staticmethod
    def request(aioapns, one):
        return aioapns.NotificationRequest(
            device_token=apnsim.token(one.number), message=json.loads(one.body), priority=one.named.get("apns-priority"),
            notification_id=one.named.get("apns-id"))

    @staticmethod
    def answer(result):
        said = {"reason": result.description, "timestamp": result.timestamp}
        said = {name: value for name, value in said.items() if value is not None}
        return int(result.status), json.dumps(said) if said else ""


class TiredAioapns(Aioapns):
    """Ends its first connection as after ten quiet seconds: at once when the simulator has the push that has no answer."""

    async def beside(self, pool):
        while not self.simulator.events("notification"):
            await asyncio.sleep(0.01)
        pool.connections[0].close()
