"""Today's HTTP/2 stacks and provider libraries against the HTTP/2 port; README.md has the table."""

import json
import time
import types

import pytest

import simulator as apnsim
from http2_peers import Aioapns, Curl, H2load, Httpx, Java, Nghttp, Node, Push, jwt

GONE = 410
LIMIT = 100
START = "2026-06-01T00:00:00Z"
ALL = [Curl, Httpx, Aioapns, Nghttp, H2load, Node, Java]


def without(*peers):
    return [peer for peer in ALL if peer not in peers]


def pushes(simulator):
    return [event for event in simulator.events("notification") if event.get("interface") == "http2"]


def connections(simulator):
    return {push["connection"] for push in pushes(simulator)}


@pytest.mark.parametrize("peer", ALL)
def test_one_push(simulator, peer):
    (status, body), = peer(simulator).push([Push(jwt(simulator))])
    assert (status, body) == (200, "")
    simulator.stop()
    assert [(push["status"], push["outcome"]) for push in pushes(simulator)] == [(200, "delivered")]


@pytest.mark.parametrize("peer", without(H2load))
def test_one_push_with_a_certificate(simulator, peer):
    assert peer(simulator, identity=True).push([Push(None)]) == [(200, "")]
    simulator.stop()
    assert [push["auth"]["kind"] for push in pushes(simulator)] == ["certificate"]


@pytest.mark.parametrize("peer", ALL)
def test_an_error_of_each_class(start, peer):
    devices = [apnsim.device(apnsim.token(number)) for number in (1, 429, 500, 503)]
    scripted = {429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable"}
    script = apnsim.scenario([*devices, apnsim.device(apnsim.token(GONE), installed=False)])
    script["rules"] = [
        {"when": {"token": apnsim.token(number)}, "reply": {"reason": reason}}
        for number, reason in scripted.items()]
    began = time.time()
    simulator = start("--tokens", "known", scenario=script)
    token, stack = jwt(simulator), peer(simulator)
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
    wanted = [row for row in wanted if stack.can(row[0])]
    answers = stack.push([request for request, _, _ in wanted])
    assert [status for status, _ in answers] == [status for _, status, _ in wanted]
    if peer is H2load:
        return
    bodies = [json.loads(body) if body else {} for _, body in answers]
    assert [body.get("reason") for body in bodies] == [reason for _, _, reason in wanted]
    for (status, _), body in zip(answers, bodies):
        assert (status == GONE) == ("timestamp" in body)
        assert began - 1 < body.get("timestamp", began * 1000) / 1000 <= time.time()


def test_a_key_that_is_not_known_to_aioapns_is_403(simulator):
    (answer,), = Aioapns(simulator).push_over_time([[Push("its own")]], [], key_id="OTHERKEY12")
    assert answer == (403, '{"reason": "InvalidProviderToken"}')


@pytest.mark.parametrize("peer", ALL)
def test_a_thousand_at_once(simulator, peer):
    answers = peer(simulator).push_thousand(jwt(simulator))
    assert [status for status, _ in answers] == [200] * 1000
    simulator.stop()
    assert len(pushes(simulator)) == 1000
    assert len(connections(simulator)) == 1


@pytest.mark.parametrize("peer", without(Java))
def test_a_thousand_over_a_hundred_streams(start, peer):
    simulator = start("--max-streams", str(LIMIT))
    answers = peer(simulator).push_thousand(jwt(simulator))
    assert [status for status, _ in answers] == [200] * 1000
    simulator.stop()
    assert len(pushes(simulator)) == 1000
    assert len(connections(simulator)) == 1


def test_the_jdk_reports_what_exceeds_a_hundred_streams(start):
    """It queues nothing: what is begun beyond the limit fails, and it is for the caller to send it again."""
    simulator = start("--max-streams", str(LIMIT))
    answers = Java(simulator).push_thousand(jwt(simulator))
    excess = [why for status, why in answers if status == "error"]
    assert excess and set(excess) == {"too many concurrent streams"}
    assert {status for status, _ in answers} == {200, "error"}
    assert len(answers) - len(excess) >= LIMIT
    simulator.stop()
    assert len(pushes(simulator)) == len(answers) - len(excess)


@pytest.mark.parametrize("peer", [Curl, Httpx, Node, Java])
def test_a_token_is_refreshed_in_mid_flight(start, peer):
    """Over one connection: too early, then 20 minutes later, and the old token until it is an hour old."""
    simulator = start("--clock", f"virtual@{START}")
    old = jwt(simulator, "--issued-at", START)
    early = jwt(simulator, "--issued-at", "2026-06-01T00:10:00Z")
    new = jwt(simulator, "--issued-at", "2026-06-01T00:20:00Z")
    both = [Push(token, number) for number in range(1, 11) for token in (old, new)]
    groups = [[Push(old)], [Push(early)], both, both]
    answers = peer(simulator).push_over_time(groups, ["10m", "10m", "41m"])
    expired = (403, '{"reason":"ExpiredProviderToken"}')
    assert answers == [
        [(200, "")], [(429, '{"reason":"TooManyProviderTokenUpdates"}')], [(200, "")] * 20, [expired, (200, "")] * 10]
    simulator.stop()
    assert len(connections(simulator)) == 1


def test_aioapns_refreshes_its_token_by_itself(start, monkeypatch):
    """It does so after half an hour; its clock is the simulator's here."""
    library = pytest.importorskip("aioapns.connection")
    simulator = start("--clock", f"virtual@{START}")
    clock, made = [1_780_272_000], []
    encode = library.jwt.encode

    def note(**token):
        made.append(token["payload"]["iat"])
        return encode(**token)

    monkeypatch.setattr(library, "time", types.SimpleNamespace(time=lambda: clock[0]))
    monkeypatch.setattr(library, "jwt", types.SimpleNamespace(encode=note))
    stack = Aioapns(simulator)
    advance = stack.advance

    def advance_both(span):
        clock[0] += 60 * int(span.removesuffix("m"))
        advance(span)

    stack.advance = advance_both
    some = [Push("its own", number) for number in range(1, 11)]
    answers = stack.push_over_time([some] * 4, ["20m", "11m", "30m"])
    assert answers == [[(200, "")] * 10] * 4
    assert made == [1_780_272_000, 1_780_272_000 + 31 * 60]
    simulator.stop()
    assert len(connections(simulator)) == 1
