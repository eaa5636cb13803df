"""pushjack 1.6.0, as it comes: command 2, batches of 100 frames, sends the rest again after an error."""

import pytest

from conftest import has_wrap_socket

if not has_wrap_socket:
    pytest.skip("pushjack needs ssl.wrap_socket, which this Python no longer has", allow_module_level=True)

import pushjack
import pushjack.apns

from expectations import (
    BAD, COUNT, SHUTDOWN, TOKENS, UNKNOWN, assert_accepted_once_each, assert_one_connection,
    assert_rejected, assert_shutdown_names_the_last_accepted, feedback_scenario, feedback_tuples,
    known_devices, with_one_bad)
from simulator import PATIENCE

SILENCE = 0.1  # seconds without an error response that pushjack takes for success, where none is to come


class Connection(pushjack.apns.APNSConnection):
    """pushjack's, which knows how many error responses come, and waits for those as long as it takes."""

    def __init__(self, *address, errors):
        super().__init__(*address)
        self.errors = errors

    def check_error(self, timeout=SILENCE):
        try:
            super().check_error(PATIENCE if timeout and self.errors else timeout)
        except pushjack.APNSServerError:
            self.errors -= 1
            raise


def client_of(simulator, errors=0):
    """pushjack, told where the gateway is and how many error responses come; the rest is its own."""
    class Client(pushjack.APNSClient):
        host = feedback_host = simulator.host
        port, feedback_port = simulator.gateway, simulator.feedback

        def create_connection(self):
            return Connection(self.host, self.port, self.certificate, errors=errors)

    return Client(simulator.provider.combined, default_error_timeout=SILENCE)


def test_one_notification_arrives(simulator):
    response = client_of(simulator).send(TOKENS[0], "Hello", badge=7, low_priority=True)
    assert response.errors == []
    simulator.wait_for_accepted(1)
    simulator.stop()
    [notification] = simulator.notifications()
    assert (notification["token"], notification["outcome"]) == (TOKENS[0], "delivered")
    assert (notification["command"], notification["priority"]) == (2, 5)


def test_a_thousand_in_one_connection_arrive_once_each(simulator):
    response = client_of(simulator).send(TOKENS, "Hello")
    assert response.errors == [] and len(response.successes) == COUNT
    simulator.wait_for_accepted(COUNT)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS)
    assert_one_connection(simulator, COUNT)


def test_a_bad_token_in_the_middle_loses_nothing(start):
    simulator = start("--tokens", "known", scenario=known_devices())
    response = client_of(simulator, errors=1).send(with_one_bad(), "Hello")
    assert [(error.code, error.identifier) for error in response.errors] == [(8, BAD)]
    assert response.failures == [UNKNOWN]
    simulator.wait_for_accepted(COUNT - 1)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS[:BAD] + TOKENS[BAD + 1:])
    assert_rejected(simulator, status=8, identifier=BAD, command=2)


def test_a_token_of_the_wrong_size_is_named(simulator):
    response = client_of(simulator, errors=1).send([TOKENS[0], "ab" * 31, TOKENS[1]], "Hello")
    assert [(error.code, error.identifier) for error in response.errors] == [(5, 1)]
    simulator.wait_for_accepted(2)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS[:2])


def test_a_payload_too_large_is_named(simulator, monkeypatch):
    # pushjack measures, too: its own limit is out of the way here.
    monkeypatch.setattr(pushjack.apns, "APNS_MAX_NOTIFICATION_SIZE", 4096)
    response = client_of(simulator, errors=1).send(TOKENS[:3], "x" * 2049)
    assert (response.errors[0].code, response.errors[0].identifier) == (7, 0)
    simulator.stop()
    assert_accepted_once_each(simulator, [])
    assert_rejected(simulator, status=7, identifier=0, command=2)


def test_the_largest_payload_is_accepted(simulator):
    message = "x" * (2048 - len('{"aps":{"alert":""}}'))
    assert client_of(simulator).send(TOKENS[0], message).errors == []
    simulator.wait_for_accepted(1)
    simulator.stop()
    assert [n["payloadSize"] for n in simulator.accepted()] == [2048]


def test_a_shutdown_names_the_last_accepted_and_the_rest_can_follow(simulator, magic_tokens):
    client = client_of(simulator, errors=1)
    tokens = with_one_bad(bad=SHUTDOWN)
    stream = pushjack.apns.APNSMessageStream(tokens, pushjack.apns.APNSMessage("Hello"), 2**31 - 1, 10, 100)
    with pytest.raises(pushjack.APNSShutdownError) as shutdown:
        client.conn.send(stream)
        client.conn.check_error(SILENCE)
    # As pushjack itself goes on, with a good token in the place of the one that triggers the shutdown.
    resume = shutdown.value.identifier + 1
    response = client.send(TOKENS[resume:], "Hello")
    assert response.errors == []
    simulator.wait_for_accepted(len(tokens[:resume] + TOKENS[resume:]))
    simulator.stop()
    assert resume in (BAD, BAD + 1)
    assert_shutdown_names_the_last_accepted(simulator, reported=resume - 1)
    assert_accepted_once_each(simulator, tokens[:resume] + TOKENS[resume:])


def test_a_thousand_feedback_tuples_are_read_whole_and_once(start):
    tuples = feedback_tuples()
    simulator = start(scenario=feedback_scenario(tuples))
    client = client_of(simulator)
    assert [tuple(expired) for expired in client.get_expired_tokens()] == tuples
    assert client.get_expired_tokens() == []
