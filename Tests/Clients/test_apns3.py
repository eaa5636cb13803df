"""apns3 1.0.0 (PyAPNs for Python 3): commands 0, 1 and 2, errors read by a thread of its own."""

import datetime
import queue

import pytest

from conftest import has_wrap_socket

if not has_wrap_socket:
    pytest.skip("apns3 needs ssl.wrap_socket, which this Python no longer has", allow_module_level=True)

import apns3

from expectations import (
    BAD, COUNT, SHUTDOWN, TOKENS, UNKNOWN, assert_accepted_once_each, assert_one_connection,
    assert_rejected, assert_shutdown_names_the_last_accepted, feedback_scenario, feedback_tuples,
    known_devices, with_one_bad)
from simulator import PATIENCE

EXPIRY = 2**31 - 1
HELLO = apns3.Payload(alert="Hello")
FRAME = 50  # notifications per apns3.Frame


class Gateway:
    """An apns3 gateway connection, told where the gateway is, and what its listener heard."""

    def __init__(self, simulator, enhanced=True):
        provider = simulator.provider
        apns = apns3.APNs(cert_file=provider.certificate, key_file=provider.key, enhanced=enhanced)
        self.connection = apns.gateway_server
        self.connection.server, self.connection.port = simulator.host, simulator.gateway
        self.errors = queue.Queue()
        if enhanced:
            self.connection.register_response_listener(self.errors.put)

    def send(self, tokens, payload=HELLO):
        """One write each; identifiers count from 0. Command 1, or 0 where not enhanced."""
        for identifier, token in enumerate(tokens):
            self.connection.send_notification(token, payload, identifier=identifier, expiry=EXPIRY)

    def send_frames(self, tokens, payload=HELLO):
        """Command 2, several to a write."""
        for first in range(0, len(tokens), FRAME):
            frame = apns3.Frame()
            for identifier, token in enumerate(tokens[first:first + FRAME], first):
                frame.add_item(token, payload, identifier, EXPIRY, 10)
            self.connection.send_notification_multiple(frame)
        # apns3 starts its reading thread with single notifications only.
        self.connection._make_sure_error_response_handler_worker_alive()

    def error(self):
        """The error response that the listener hears next, as (status, identifier)."""
        heard = self.errors.get(timeout=PATIENCE)
        return heard["status"], heard["identifier"]


@pytest.fixture(autouse=True)
def resending(monkeypatch):
    """apns3 1.0.0 calls its own resending with an argument too many and its thread dies of it; mended here."""
    worker = apns3.GatewayConnection.ErrorResponseHandlerWorker
    resend = worker._resend_notification_by_range
    monkeypatch.setattr(
        worker, "_resend_notification_by_range", lambda self, _, start, end: resend(self, start, end))


@pytest.fixture
def gateway_of(start):
    """Connects; afterwards ends apns3's thread, which a closed connection wakes."""
    gateways = []

    def gateway_of(simulator, **options):
        gateways.append((simulator, Gateway(simulator, **options)))
        return gateways[-1][1]

    yield gateway_of
    for simulator, gateway in gateways:
        worker = gateway.connection._error_response_handler_worker if gateway.connection.enhanced else None
        if worker is not None:
            gateway.connection.force_close()
            simulator.stop()
            worker.join(PATIENCE)
            assert not worker.is_alive()


senders = pytest.mark.parametrize(
    "send, command", [(Gateway.send, 1), (Gateway.send_frames, 2)], ids=["command 1", "command 2"])


@senders
def test_one_notification_arrives(simulator, gateway_of, send, command):
    gateway = gateway_of(simulator)
    send(gateway, TOKENS[:1])
    simulator.wait_for_accepted(1)
    [notification] = simulator.notifications()
    assert (notification["token"], notification["outcome"]) == (TOKENS[0], "delivered")
    assert (notification["command"], notification["expiry"]) == (command, EXPIRY)


@senders
def test_a_thousand_in_one_connection_arrive_once_each(simulator, gateway_of, send, command):
    gateway = gateway_of(simulator)
    send(gateway, TOKENS)
    simulator.wait_for_accepted(COUNT)
    assert gateway.errors.empty()
    assert_accepted_once_each(simulator, TOKENS)
    assert_one_connection(simulator, COUNT)


@senders
def test_a_bad_token_in_the_middle_loses_nothing(start, gateway_of, send, command):
    simulator = start("--tokens", "known", scenario=known_devices())
    gateway = gateway_of(simulator)
    send(gateway, with_one_bad())
    assert gateway.error() == (8, BAD)
    simulator.wait_for_accepted(COUNT - 1)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS[:BAD] + TOKENS[BAD + 1:])
    assert_rejected(simulator, status=8, identifier=BAD, command=command)


def test_a_payload_too_large_for_command_1_is_named(simulator, gateway_of):
    gateway = gateway_of(simulator)
    gateway.send(TOKENS[:1], apns3.Payload(alert="x" * (257 - len('{"aps":{"alert":""}}'))))
    assert gateway.error() == (7, 0)
    simulator.stop()
    assert_accepted_once_each(simulator, [])
    assert_rejected(simulator, status=7, identifier=0, command=1)


def test_a_payload_too_large_for_command_2_is_named(simulator, gateway_of, monkeypatch):
    # apns3 measures, too: its own limit is out of the way here.
    monkeypatch.setattr(apns3, "MAX_PAYLOAD_LENGTH", 4096)
    gateway = gateway_of(simulator)
    gateway.send_frames(TOKENS[:1], apns3.Payload(alert="x" * 2049))
    assert gateway.error() == (7, 0)
    simulator.stop()
    assert_rejected(simulator, status=7, identifier=0, command=2)


@senders
def test_a_shutdown_names_the_last_accepted(simulator, gateway_of, magic_tokens, send, command):
    gateway = gateway_of(simulator)
    # The frames that apns3 sends again start with the token that shuts the gateway down, so the first time is all.
    gateway.connection.register_response_listener(
        lambda heard: (gateway.errors.put(heard), gateway.connection.force_close()))
    send(gateway, with_one_bad(bad=SHUTDOWN))
    status, identifier = gateway.error()
    assert status == 10 and identifier in (BAD - 1, BAD)
    simulator.stop()
    assert_shutdown_names_the_last_accepted(simulator, reported=identifier)


def test_command_0_delivers_a_thousand(simulator, gateway_of):
    gateway_of(simulator, enhanced=False).send(TOKENS)
    simulator.wait_for_accepted(COUNT)
    assert_accepted_once_each(simulator, TOKENS)
    assert_one_connection(simulator, COUNT)
    assert {(n["command"], n["identifier"]) for n in simulator.notifications()} == {(0, None)}


@pytest.mark.parametrize("last", [UNKNOWN, TOKENS[1]], ids=["bad token", "payload too large"])
def test_command_0_learns_of_an_error_by_the_close_alone(start, gateway_of, last):
    simulator = start("--tokens", "known", scenario=known_devices())
    gateway = gateway_of(simulator, enhanced=False)
    gateway.send(TOKENS[:1])
    gateway.send([last], HELLO if last == UNKNOWN else apns3.Payload(alert="x" * 257))
    assert gateway.connection.read(6) == b""
    gateway.connection._disconnect()
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS[:1])
    [rejected] = simulator.notifications("rejected")
    assert rejected["status"] == (8 if last == UNKNOWN else 7)


def test_a_thousand_feedback_tuples_are_read_whole_and_once(start):
    tuples = feedback_tuples()
    simulator = start(scenario=feedback_scenario(tuples))
    assert list(feedback_of(simulator)) == tuples
    assert list(feedback_of(simulator)) == []


def feedback_of(simulator):
    provider = simulator.provider
    connection = apns3.APNs(cert_file=provider.certificate, key_file=provider.key).feedback_server
    connection.server, connection.port = simulator.host, simulator.feedback
    for token, time in connection.items():
        yield token.decode(), int(time.replace(tzinfo=datetime.timezone.utc).timestamp())
