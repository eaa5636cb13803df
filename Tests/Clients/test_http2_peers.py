"""Today's HTTP/2 stacks against the HTTP/2 port: nghttp, h2load, Node's http2 and the JDK's HttpClient."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import simulator as apnsim

PEERS = Path(__file__).parent / "peers"
TOPIC = apnsim.TOPIC
PAYLOAD = '{"aps":{"alert":"hi"}}'
GONE = 410
LIMIT = 100


def program(name):
    """The path of a peer's program; without it the test is skipped, and says so."""
    return shutil.which(name) or pytest.skip(f"there is no {name}")


def jwt(simulator):
    return apnsim.apnsim("certs", "jwt", "--certs", simulator.certs).stdout.strip()


class Push:
    """A request as all peers are given it: a good push, unless some of it is replaced; a header of None is left out."""

    def __init__(self, token, number=1, method="POST", path=None, body=PAYLOAD, **headers):
        self.method, self.body, self.path = method, body, path or f"/3/device/{apnsim.token(number)}"
        named = {"authorization": f"bearer {token}" if token else None, "apns-topic": TOPIC}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.headers = [f"{name}: {value}" for name, value in named.items() if value is not None]


class Peer:
    """A stack that answers each request: `(status, body)`, or `("error", why)`."""

    # Whether the first request is answered before the others begin.
    waits = False

    def __init__(self, simulator, identity=False):
        self.simulator, self.identity = simulator, simulator.provider if identity else None
        self.origin = f"https://localhost:{simulator.http2}"

    def run(self, *command, text="", **environment):
        run = subprocess.run(
            [str(part) for part in command], input=text, capture_output=True, text=True, timeout=apnsim.PATIENCE,
            env=os.environ | environment)
        assert run.returncode == 0, f"{command[0]} ended with {run.returncode}: {run.stderr}"
        return run.stdout

    def push_lines(self, command, requests):
        """Asks a program of `peers/`."""
        lines = ["\t".join([one.method, one.path, one.body, *one.headers]) for one in requests]
        # An empty line waits for the answers to those before it.
        text = f"{lines[0]}\n\n" + "\n".join(lines[1:]) if self.waits else "\n".join(lines)
        answers = [line.split("\t") for line in self.run(*command, text=text).splitlines()]
        assert len(answers) == len(requests)
        return [
            ("error", answer[1]) if answer[0] == "error" else (int(answer[0]), answer[2]) for answer in answers]


class Node(Peer):
    def push(self, requests):
        files = [self.identity.certificate, self.identity.key] if self.identity else []
        return self.push_lines(
            [program("node"), PEERS / "push.mjs", self.origin, self.simulator.ca, *files], requests)


class Java(Peer):
    # It begins a connection for each request while none is open, and knows no limit before the server's SETTINGS.
    waits = True

    def push(self, requests):
        files = [self.identity.certificate.removesuffix(".pem") + ".p12"] if self.identity else []
        return self.push_lines(
            [program("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", PEERS / "Push.java", self.origin,
             self.simulator.ca, *files], requests)


class Nghttp(Peer):
    """One kind of request, as often as wanted: statuses are those of its statistics, the body that of its output."""

    def push(self, requests):
        return [answer for one in requests for answer in self.push_many(one, 1)]

    def push_many(self, one, count):
        body = self.simulator.directory / "body"
        body.write_text(one.body)
        files = [f"--cert={self.identity.certificate}", f"--key={self.identity.key}"] if self.identity else []
        headers = [f"-H{header}" for header in [f":method: {one.method}", *one.headers]]
        output = self.run(
            program("nghttp"), "--stat", f"--multiply={count}", *files, *headers,
            *([] if one.method == "GET" else [f"--data={body}"]), self.origin + one.path,
            SSL_CERT_FILE=self.simulator.ca)
        answer, statistics = output.split("***** Statistics *****")
        rows = [line.split() for line in statistics.splitlines() if line.rstrip().endswith(one.path)]
        assert len(rows) == count
        return [(int(row[-3]), answer.strip()) for row in rows]


class H2load(Peer):
    """One kind of request, as often as wanted: statuses are those of its log, and what an answer says is not shown."""

    def push(self, requests):
        return [answer for one in requests for answer in self.push_many(one, 1)]

    def push_many(self, one, count):
        body, log = self.simulator.directory / "body", self.simulator.directory / "h2load.log"
        body.write_text(one.body)
        headers = [f"-H{header}" for header in [f":method: {one.method}", *one.headers]]
        log.unlink(missing_ok=True)
        self.run(
            program("h2load"), f"--requests={count}", "--clients=1", f"--max-concurrent-streams={count}",
            f"--log-file={log}", *headers, *([] if one.method == "GET" else [f"--data={body}"]),
            self.origin + one.path)
        return [(int(line.split()[1]), "") for line in log.read_text().splitlines()]


ALL = [Nghttp, H2load, Node, Java]


def pushes(simulator):
    return [event for event in simulator.events("notification") if event.get("interface") == "http2"]


@pytest.mark.parametrize("peer", ALL)
def test_one_push(simulator, peer):
    (status, body), = peer(simulator).push([Push(jwt(simulator))])
    assert (status, body) == (200, "")
    simulator.stop()
    assert [(push["status"], push["outcome"]) for push in pushes(simulator)] == [(200, "delivered")]


@pytest.mark.parametrize("peer", [Nghttp, Node, Java])
def test_one_push_with_a_certificate(simulator, peer):
    assert peer(simulator, identity=True).push([Push(None)]) == [(200, "")]


@pytest.mark.parametrize("peer", ALL)
def test_an_error_of_each_class(start, peer):
    devices = [apnsim.device(apnsim.token(number)) for number in (1, 429, 500, 503)]
    scripted = {429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable"}
    script = apnsim.scenario([*devices, apnsim.device(apnsim.token(GONE), installed=False)])
    script["rules"] = [
        {"when": {"token": apnsim.token(number)}, "reply": {"reason": reason}}
        for number, reason in scripted.items()]
    simulator = start("--tokens", "known", scenario=script)
    token = jwt(simulator)
    wanted = [
        (Push(token), 200, None),
        (Push(token, apns_priority="7"), 400, "BadPriority"),
        (Push(None), 403, "MissingProviderToken"),
        (Push(token, path="/3/devices"), 404, "BadPath"),
        (Push(token, method="GET"), 405, "MethodNotAllowed"),
        (Push(token, GONE), 410, "Unregistered"),
        (Push(token, body=json.dumps({"aps": {"alert": "x" * 4096}})), 413, "PayloadTooLarge"),
        *((Push(token, number), number, reason) for number, reason in scripted.items()),
    ]
    answers = peer(simulator).push([request for request, _, _ in wanted])
    assert [status for status, _ in answers] == [status for _, status, _ in wanted]
    if peer is H2load:
        return
    bodies = [json.loads(body) if body else {} for _, body in answers]
    assert [body.get("reason") for body in bodies] == [reason for _, _, reason in wanted]
    for (status, _), body in zip(answers, bodies):
        assert (status == GONE) == ("timestamp" in body)
        assert abs(body.get("timestamp", time.time() * 1000) / 1000 - time.time()) < 60


def push_thousand(peer, token):
    """A thousand at once, over one connection."""
    if isinstance(peer, (Nghttp, H2load)):
        return peer.push_many(Push(token), 1000)
    return peer.push([Push(token, number) for number in range(1, 1001)])


@pytest.mark.parametrize("peer", ALL)
def test_a_thousand_at_once(simulator, peer):
    answers = push_thousand(peer(simulator), jwt(simulator))
    assert [status for status, _ in answers] == [200] * 1000
    simulator.stop()
    assert len(pushes(simulator)) == 1000
    assert len({push["connection"] for push in pushes(simulator)}) == 1


@pytest.mark.parametrize("peer", [Nghttp, H2load, Node])
def test_a_thousand_over_a_hundred_streams(start, peer):
    simulator = start("--max-streams", str(LIMIT))
    answers = push_thousand(peer(simulator), jwt(simulator))
    assert [status for status, _ in answers] == [200] * 1000
    simulator.stop()
    assert len({push["connection"] for push in pushes(simulator)}) == 1


def test_the_jdk_reports_what_exceeds_a_hundred_streams(start):
    """It queues nothing: what is begun beyond the limit fails, and it is for the caller to send it again."""
    simulator = start("--max-streams", str(LIMIT))
    answers = push_thousand(Java(simulator), jwt(simulator))
    excess = [why for status, why in answers if status == "error"]
    assert excess and set(excess) == {"too many concurrent streams"}
    assert {status for status, _ in answers} == {200, "error"}
    assert len(answers) - len(excess) >= LIMIT
    simulator.stop()
    assert len(pushes(simulator)) == len(answers) - len(excess)
