"""The requests of `fixtures/vectors/http2b.json`, each on a connection of its own to a simulator as it began."""

import base64
import functools
import json
import re
import time
from pathlib import Path

import pytest

import control
import simulator as apnsim
from http2_peers import context

h2 = pytest.importorskip("h2.connection")
h2_config, h2_events = pytest.importorskip("h2.config"), pytest.importorskip("h2.events")

FILE = json.loads((apnsim.ROOT / "fixtures/vectors/http2b.json").read_text())
TOKENS, TOPIC = FILE["fixtures"]["tokens"], FILE["fixtures"]["topic"]
# Vectors that do not come out yet, and what is missing. One that does come out fails here until it leaves the list.
KNOWN = {}
READ = {
    "id", "name", "basis", "source", "server", "setup", "before", "after", "method", "path", "auth", "authority",
    "headers", "body", "body_len", "save", "expect", "expect_exact_header", "header_matches", "absent_header",
    "expect_body", "expect_body_keys", "absent_body_keys", "empty_body",
}


# --- The world -----------------------------------------------------------------------------------


def world(server):
    """The apps and devices that the vectors speak of, as a scenario."""
    def app(name, topic=TOPIC, environment="production", **more):
        return {"topic": topic, "environment": environment, "token": TOKENS[name]} | more

    suffixes = FILE["fixtures"]["suffixes"]
    others = [app(name, TOPIC + suffix) for name, suffix in suffixes.items()]
    ours = {"environment": "both", "broadcast": not server.startswith("nobroadcast")}
    topics = [TOPIC + suffix for suffix in suffixes.values()] + ["com.example.other"]
    return {
        "version": 1,
        "name": "request vectors",
        "apps": {TOPIC: ours, "com.example.nope": {"team": "OTHERTEAM1"}} | {topic: {} for topic in topics},
        "devices": {
            "online": {"apps": [app("online"), *others]},
            "off": {"online": False, "apps": [app("offline")]},
            "gone": {"apps": [app("uninstalled", installed=False)]},
            "other": {"apps": [app("other_topic", "com.example.other")]},
            "sand": {"apps": [app("sandbox_only", environment="sandbox")]},
        },
    }


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A directory of their own, since further keys come into it."""
    return tmp_path_factory.mktemp("vector-certs")


@pytest.fixture(scope="module")
def server(certificates, tmp_path_factory):
    """The simulator of a name, started when a vector first asks for it."""
    running = {}

    def server(name):
        if name not in running:
            flags = [*FILE["servers"][name], "--magic-tokens", "off"]
            running[name] = apnsim.Simulator(
                certificates, tmp_path_factory.mktemp(name), *flags, scenario=world(name), record=False)
            running[name].__enter__()
        return running[name]

    yield server
    for simulator in running.values():
        simulator.stop()


# --- Authorization -------------------------------------------------------------------------------


KEYS = {
    "sandbox": ["--environment", "sandbox"],
    "production": ["--environment", "production"],
    "topic": ["--environment", "production", "--topic", TOPIC],
    "related": ["--environment", "production", "--topic", TOPIC, "--topic", "com.example.second"],
}


@pytest.fixture(scope="module")
def key(certificates):
    """The identifier of a further key."""
    @functools.cache
    def key(name):
        run = apnsim.apnsim("certs", "key", "--certs", certificates, *KEYS[name])
        return re.search(r"AuthKey_(\w+)\.p8", run.stdout)[1]
    return key


def bearer(simulator, key_id, age=0, without=(), algorithm="ES256"):
    """A provider token, signed here."""
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives import hashes, serialization

    def text(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    claims = {"iss": simulator.team_id, "iat": int(time.time()) + age}
    claims = {name: value for name, value in claims.items() if name not in without}
    header = {"alg": algorithm, "kid": key_id}
    signed = b".".join(text(json.dumps(part).encode()) for part in (header, claims))
    file = Path(simulator.auth_key).with_name(f"AuthKey_{key_id}.p8")
    private = serialization.load_pem_private_key(file.read_bytes(), None)
    r, s = utils.decode_dss_signature(private.sign(signed, ec.ECDSA(hashes.SHA256())))
    return f"bearer {signed.decode()}.{text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big')).decode()}"


def authorization(auth, simulator, key):
    """The value of `authorization`, if there is one."""
    if auth == "none" or auth.startswith("cert:"):
        return None
    if auth == "valid-jwt":
        return bearer(simulator, simulator.key_id)
    if auth == "jwt:es384":
        return bearer(simulator, simulator.key_id, algorithm="ES384")
    if match := re.fullmatch("jwt:no-(iss|iat)", auth):
        return bearer(simulator, simulator.key_id, without=(match[1],))
    if match := re.fullmatch("jwt:iat([+-][0-9]+)", auth):
        return bearer(simulator, simulator.key_id, age=int(match[1]))
    if match := re.fullmatch("jwt:key:(.+)", auth):
        return bearer(simulator, key(match[1]))
    assert not auth.startswith("jwt:"), auth
    return auth


def identity(auth, certificates):
    """The certificate with the topics of `cert:TOPIC,…`."""
    if not auth.startswith("cert:"):
        return None
    files = Path(certificates) / "vector"
    apnsim.apnsim("certs", "issue", *auth[5:].split(","), "--certs", certificates, "--key-type", "ec", "-o", files)
    return apnsim.Provider(f"{files}.pem", f"{files}.key")


# --- A connection --------------------------------------------------------------------------------


class Answer:
    def __init__(self):
        self.status, self.headers, self.body, self.is_complete = None, {}, b"", False

    @property
    def json(self):
        return json.loads(self.body or b"{}")


class Line:
    """One connection, on which requests go one after the other, with whatever headers they are given."""

    def __init__(self, simulator, identity):
        plain = simulator.connect_plain(simulator.http2)
        self.socket = context(simulator, identity).wrap_socket(plain, server_hostname="localhost")
        config = h2_config.H2Configuration(
            validate_outbound_headers=False, normalize_outbound_headers=False, header_encoding="utf-8")
        self.http2 = h2.H2Connection(config)
        self.http2.initiate_connection()

    def request(self, fields, body):
        stream, answer = self.http2.get_next_available_stream_id(), Answer()
        self.http2.send_headers(stream, fields, end_stream=not body)
        if body:
            self.http2.send_data(stream, body, end_stream=True)
        self.socket.sendall(self.http2.data_to_send())
        while not answer.is_complete:
            data = self.socket.recv(65_536)
            assert data, "the connection ended without an answer"
            for event in self.http2.receive_data(data):
                self.take(event, stream, answer)
            self.socket.sendall(self.http2.data_to_send())
        return answer

    @staticmethod
    def take(event, stream, answer):
        if getattr(event, "stream_id", None) != stream:
            return
        assert not isinstance(event, h2_events.StreamReset), "the stream was reset"
        if isinstance(event, h2_events.ResponseReceived):
            answer.headers = dict(event.headers)
            answer.status = int(answer.headers.pop(":status"))
        if isinstance(event, h2_events.DataReceived):
            answer.body += event.data
        answer.is_complete |= isinstance(event, h2_events.StreamEnded)


# --- A vector ------------------------------------------------------------------------------------


def fields(request, saved, value):
    """The header list; a value that is a list is sent once for each element."""
    fields = [(":method", request["method"]), (":scheme", "https"), (":path", request["path"])]
    if request.get("authority", "localhost"):
        fields.append((":authority", "localhost"))
    if value is not None:
        fields.append(("authorization", value))
    for name, values in request["headers"].items():
        for one in values if isinstance(values, list) else [values]:
            fields.append((name, re.sub(r"\{(\w+)\}", lambda match: saved[match[1]], one)))
    return fields


def check(request, answer):
    """The answer as far as the vector says what it is."""
    expected = request["expect"]
    assert (answer.status, answer.json.get("reason")) == (expected["status"], expected["reason"])
    for name, value in request.get("expect_exact_header", {}).items():
        assert answer.headers.get(name) == value
    for name, pattern in request.get("header_matches", {}).items():
        assert re.search(pattern, answer.headers.get(name, "")), name
    assert not set(request.get("absent_header", [])) & set(answer.headers)
    if "expect_body" in request:
        assert answer.json == request["expect_body"]
    assert set(request.get("expect_body_keys", [])) <= set(answer.json)
    assert not set(request.get("absent_body_keys", [])) & set(answer.json)
    assert not (request.get("empty_body") and answer.body)


def member(value, path):
    for name in filter(None, path.split(".")):
        assert isinstance(value, list) or name in value, f"there is no {name} in {value}"
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def check_afterwards(claim, api):
    """What the control API says afterwards."""
    path = claim["get"]
    if "{last}" in path:
        path = path.replace("{last}", control.call("GET", api + "/notifications?limit=1")[1]["notifications"][0]["id"])
    status, said = control.call("GET", api + path)
    assert status == 200
    found = member(said, claim["at"])
    if "is" in claim:
        assert found == claim["is"]
    if "size" in claim:
        assert len(found) == claim["size"]
    if "has" in claim:
        assert claim["has"] in json.dumps(found, ensure_ascii=False)
    if "hasnot" in claim:
        assert claim["hasnot"] not in json.dumps(found, ensure_ascii=False)


def play(request, line, saved, value):
    body = request["body"].encode()
    answer = line.request(fields(request, saved, value), body.ljust(request.get("body_len", 0)))
    check(request, answer)
    saved |= {name: answer.headers[header] for name, header in request.get("save", {}).items()}


def parameters():
    for vector in FILE["vectors"]:
        missing = KNOWN.get(vector["id"])
        marks = [pytest.mark.xfail(reason=missing, raises=AssertionError, strict=True)] if missing else []
        yield pytest.param(vector, id=f"{vector['id']} {vector['name']}", marks=marks)


@pytest.mark.parametrize("vector", parameters())
def test_each_request_vector_gets_its_answer(vector, server, key, certificates):
    simulator = server(vector.get("server", "known"))
    api = simulator.control + "/api/v1"
    assert control.call("POST", api + "/reset")[0] in (200, 204)
    for method, path, body in vector.get("setup", []):
        assert control.call(method, api + path, body)[0] in (200, 201)
    line, saved = Line(simulator, identity(vector["auth"], certificates)), {}
    with line.socket:
        usual = authorization(vector["auth"], simulator, key)
        for before in vector.get("before", []):
            play(before, line, saved, authorization(before["auth"], simulator, key) if "auth" in before else usual)
        play(vector, line, saved, usual)
    for claim in vector.get("after", []):
        check_afterwards(claim, api)


def test_each_key_of_the_vectors_is_read_and_each_known_one_is_among_them():
    assert {key for vector in FILE["vectors"] for key in vector} <= READ
    assert {claim for vector in FILE["vectors"] for after in vector.get("after", []) for claim in after} <= {
        "get", "at", "is", "has", "hasnot", "size"}
    assert set(KNOWN) <= {vector["id"] for vector in FILE["vectors"]}
    assert len(FILE["vectors"]) == 85
