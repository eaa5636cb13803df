"""django-push-notifications 1.4.1: command 2, one write each; reports an error, its user sends the rest."""

import functools
import ssl

import pytest

from conftest import has_wrap_socket

if not has_wrap_socket:
    pytest.skip(
        "django-push-notifications 1.4.1 needs ssl.wrap_socket, which this Python no longer has",
        allow_module_level=True)

# It asks for TLS 1.0 and nothing else; let it negotiate, as on a machine that has TLS 1.0 no more.
TLS_1_0 = ssl.PROTOCOL_TLSv1
ssl.PROTOCOL_TLSv1 = ssl.PROTOCOL_TLS

import django.conf

django.conf.settings.configure(DEBUG=False, PUSH_NOTIFICATIONS_SETTINGS={})

from push_notifications import apns
from push_notifications.settings import PUSH_NOTIFICATIONS_SETTINGS as SETTINGS

from expectations import (
    BAD, COUNT, SHUTDOWN, TOKENS, assert_accepted_once_each, assert_one_connection, assert_rejected,
    assert_shutdown_names_the_last_accepted, feedback_scenario, feedback_tuples, known_devices, with_one_bad)
from simulator import PATIENCE

SILENCE = 0.1  # seconds without an error response that count as success, where none is to come


def use(simulator, patience=SILENCE):
    """Writes the simulator's address into the settings, where its user would, and how long an error response may take."""
    SETTINGS.update(
        APNS_HOST=simulator.host, APNS_PORT=simulator.gateway,
        APNS_FEEDBACK_HOST=simulator.host, APNS_FEEDBACK_PORT=simulator.feedback,
        APNS_CERTIFICATE=simulator.provider.combined, APNS_CA_CERTIFICATES=simulator.ca,
        APNS_ERROR_TIMEOUT=patience, APNS_MAX_NOTIFICATION_SIZE=2048)


def test_one_notification_arrives(simulator):
    use(simulator)
    apns.apns_send_message(TOKENS[0], "Hello", badge=1, extra={"acme": [1, None]}, expiration=2**31 - 1)
    simulator.wait_for_accepted(1)
    simulator.stop()
    [notification] = simulator.notifications()
    assert (notification["token"], notification["outcome"]) == (TOKENS[0], "delivered")
    assert (notification["command"], notification["expiry"]) == (2, 2**31 - 1)


def test_tls_1_0_as_it_really_asks_for_works(simulator, monkeypatch):
    monkeypatch.setattr(ssl, "PROTOCOL_TLSv1", TLS_1_0)
    # OpenSSL 3 itself wants to be told this on the client's side.
    monkeypatch.setattr(ssl, "wrap_socket", functools.partial(ssl.wrap_socket, ciphers="ALL:@SECLEVEL=0"))
    use(simulator, PATIENCE)
    with pytest.raises(apns.APNSServerError) as error:
        apns.apns_send_bulk_message([TOKENS[0], "ab" * 31, TOKENS[1]], "Hello")
    assert (error.value.status, error.value.identifier) == (5, 1)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS[:1])


def test_a_thousand_in_one_connection_arrive_once_each(simulator):
    use(simulator)
    apns.apns_send_bulk_message(TOKENS, "Hello")
    simulator.wait_for_accepted(COUNT)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS)
    assert_one_connection(simulator, COUNT)


def test_a_bad_token_in_the_middle_loses_nothing_that_is_sent_again(start):
    simulator = start("--tokens", "known", scenario=known_devices())
    use(simulator, PATIENCE)
    tokens = with_one_bad()
    with pytest.raises(apns.APNSServerError) as error:
        apns.apns_send_bulk_message(tokens, "Hello")
    assert (error.value.status, error.value.identifier) == (8, BAD)
    use(simulator)
    apns.apns_send_bulk_message(tokens[error.value.identifier + 1:], "Hello")
    simulator.wait_for_accepted(COUNT - 1)
    simulator.stop()
    assert_accepted_once_each(simulator, TOKENS[:BAD] + TOKENS[BAD + 1:])
    assert_rejected(simulator, status=8, identifier=BAD, command=2)


def test_a_payload_too_large_is_named(simulator):
    use(simulator, PATIENCE)
    SETTINGS["APNS_MAX_NOTIFICATION_SIZE"] = 4096  # it measures, too
    with pytest.raises(apns.APNSServerError) as error:
        apns.apns_send_message(TOKENS[0], "x" * 2049, identifier=0x01020304)
    assert (error.value.status, error.value.identifier) == (7, 0x01020304)
    simulator.stop()
    assert_rejected(simulator, status=7, identifier=0x01020304, command=2)


def test_a_shutdown_names_the_last_accepted(simulator, magic_tokens):
    use(simulator, PATIENCE)
    with pytest.raises(apns.APNSServerError) as error:
        apns.apns_send_bulk_message(with_one_bad(bad=SHUTDOWN), "Hello")
    assert error.value.status == 10 and error.value.identifier in (BAD - 1, BAD)
    simulator.stop()
    assert_shutdown_names_the_last_accepted(simulator, reported=error.value.identifier)


def test_a_thousand_feedback_tuples_are_read_whole_and_once(start):
    tuples = feedback_tuples()
    use(start(scenario=feedback_scenario(tuples)))
    assert [token.decode() for token in apns.apns_fetch_inactive_ids()] == [token for token, _ in tuples]
    assert apns.apns_fetch_inactive_ids() == []
