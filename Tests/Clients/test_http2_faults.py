"""What real clients do when the HTTP/2 port misbehaves on purpose; README.md has the table."""

import ssl

import pytest

import simulator as apnsim
from http2_peers import Aioapns, Curl, Httpx, Java, Node, Push, TiredAioapns, context, jwt

OPEN = {"goaway": {"reason": "Shutdown", "then": "open"}}
REFUSE = {"goaway": {"then": "refuse"}}
BELOW = {"goaway": {"lastStream": "below", "reason": "Shutdown"}}
REFUSED = {"resetStream": "REFUSED_STREAM"}
GOOD = (200, "")
LOST, THEN = [(1, "discarded")], [(2, "delivered"), (3, "delivered")]
AGAIN = [(1, "delivered"), *THEN]


def scripted(start, fault):
    """A simulator whose first connection has a fault at its first request."""
    script = apnsim.scenario()
    script["rules"] = [{"when": {"connection": 1, "nth": 1}, "fault": fault}]
    return start(scenario=script)


def push_three(peer):
    """Three pushes that each wait for the answer before."""
    token = jwt(peer.simulator)
    groups = [[Push(token, number)] for number in range(1, 4)]
    return [answer for group in peer.push_over_time(groups, [None] * 2) for answer in group]


def received(simulator):
    """The pushes that each connection brought, by their numbers, with what became of them."""
    simulator.stop()
    by_connection = {}
    for push in simulator.events("notification"):
        by_connection.setdefault(push["connection"], []).append((int(push["token"], 16), push["outcome"]))
    return list(by_connection.values())


# --- GOAWAY, and the connection is left open ------------------------------------------------------


@pytest.mark.parametrize("fault", [OPEN, REFUSE])
@pytest.mark.parametrize("peer", [Curl, Httpx, Java])
def test_goaway_on_a_connection_that_stays_open_makes_it_reconnect(start, peer, fault):
    simulator = scripted(start, fault)
    assert push_three(peer(simulator)) == [GOOD] * 3
    assert received(simulator) == [[(1, "delivered")], THEN]


@pytest.mark.parametrize("fault", [OPEN, REFUSE])
def test_aioapns_fails_on_a_connection_that_goaway_left_open(start, fault):
    """Its connection is closed to itself, not to its pool: the next push is an error of h2's, and not sent again."""
    exceptions = pytest.importorskip("h2.exceptions")
    simulator = scripted(start, fault)
    with pytest.raises(exceptions.ProtocolError, match="SEND_HEADERS in state ConnectionState.CLOSED"):
        push_three(Aioapns(simulator))
    assert received(simulator) == [[(1, "delivered")]]


@pytest.mark.parametrize("fault", [OPEN, REFUSE])
def test_node_leaves_a_session_that_got_goaway_to_its_caller(start, fault):
    simulator = scripted(start, fault)
    first, *others = push_three(Node(simulator))
    assert first == GOOD and {status for status, _ in others} == {"error"}
    assert received(simulator) == [[(1, "delivered")]]


# --- GOAWAY below a request that is under way -----------------------------------------------------


def test_aioapns_sends_again_what_is_above_the_last_stream(start):
    simulator = scripted(start, BELOW)
    assert push_three(Aioapns(simulator)) == [GOOD] * 3
    assert received(simulator) == [LOST, AGAIN]


def test_the_jdk_reports_what_is_above_the_last_stream_and_reconnects(start):
    simulator = scripted(start, BELOW)
    (status, why), *others = push_three(Java(simulator))
    assert status == "error" and "GOAWAY received" in why and others == [GOOD] * 2
    assert received(simulator) == [LOST, THEN]


def test_httpx_raises_for_what_is_above_the_last_stream(start):
    httpx = pytest.importorskip("httpx")
    simulator = scripted(start, BELOW)
    with pytest.raises(httpx.RemoteProtocolError, match="last_stream_id:0"):
        push_three(Httpx(simulator))
    assert received(simulator) == [LOST]


# --- A stream that is refused, a request that is not answered -------------------------------------


@pytest.mark.parametrize("peer", [Curl, TiredAioapns])
def test_what_was_refused_is_sent_again_over_another_connection(start, peer):
    simulator = scripted(start, REFUSED)
    assert push_three(peer(simulator)) == [GOOD] * 3
    assert received(simulator) == [[(1, "rejected")], AGAIN]


@pytest.mark.parametrize("peer", [Node, Java])
def test_what_was_refused_is_reported_and_the_connection_goes_on(start, peer):
    simulator = scripted(start, REFUSED)
    (status, _), *others = push_three(peer(simulator))
    assert status == "error" and others == [GOOD] * 2
    assert received(simulator) == [[(1, "rejected"), *THEN]]


def test_aioapns_sends_again_what_was_delivered_and_not_answered(start):
    """It cannot know: the device has the notification twice."""
    simulator = scripted(start, "unanswered")
    assert push_three(TiredAioapns(simulator)) == [GOOD] * 3
    assert received(simulator) == [[(1, "delivered")], AGAIN]


# --- The handshake ---------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_provider_without_a_certificate_is_refused_in_the_handshake(start, version):
    script = apnsim.scenario()
    script["rules"] = [{"fault": {"refuseHandshake": "revoked"}, "times": 1}]
    simulator = start(scenario=script)
    settings = context(simulator)
    settings.maximum_version = version
    with simulator.connect_plain(simulator.http2) as refused:
        with pytest.raises(ssl.SSLError, match="alert certificate revoked"):
            settings.wrap_socket(refused, server_hostname="localhost")
    assert Curl(simulator).push([Push(jwt(simulator))]) == [GOOD]
    simulator.stop()
    judged = simulator.events("certificateJudged")
    assert [event["refusal"] for event in judged if "refusal" in event] == [{"alert": 44}]
