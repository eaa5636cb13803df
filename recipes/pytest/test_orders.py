"""What a test of a provider looks like: a real client library (pushjack), and the three questions that matter."""

import ssl

import pytest

if not hasattr(ssl, "wrap_socket"):
    pytest.skip("pushjack needs ssl.wrap_socket, which this Python no longer has", allow_module_level=True)

import pushjack

TOPIC = "com.example.app"


@pytest.fixture
def provider(apnsim, tmp_path):
    """The provider under test. Yours will take host, port and certificate from its own configuration."""
    both = tmp_path / "provider.pem"
    with open(apnsim.provider_certificate) as certificate, open(apnsim.provider_key) as key:
        both.write_text(certificate.read() + key.read())

    class Client(pushjack.APNSClient):
        host = feedback_host = apnsim.host
        port, feedback_port = apnsim.gateway, apnsim.feedback

    return Client(str(both), default_error_timeout=0.3)


def test_did_it_arrive(apnsim, provider):
    [token] = apnsim.device("alice", TOPIC)
    provider.send(token, "Your order is on its way", badge=1)
    [notification] = apnsim.wait('device:alice alert~"order"')
    assert notification["outcome"] == "delivered"
    assert notification["payload"]["aps"]["badge"] == 1


def test_what_happens_while_the_device_is_offline(apnsim, provider):
    [token] = apnsim.device("bob", TOPIC)
    apnsim.api("POST", "/devices/bob/offline")
    provider.send(token, "first")
    provider.send(token, "second")
    apnsim.wait("device:bob", count=2)
    assert apnsim.inbox("bob") == []
    apnsim.api("POST", "/devices/bob/online")
    # Only the last one per app is kept.
    assert [n["payload"]["aps"]["alert"] for n in apnsim.inbox("bob")] == ["second"]


def test_what_the_provider_makes_of_an_error(apnsim, provider):
    tokens = [apnsim.device(name, TOPIC)[0] for name in ("a", "b", "c")]
    apnsim.api("POST", "/faults", {"when": {"nth": 2}, "reply": {"status": 8}, "times": 1})
    response = provider.send(tokens, "Hello")
    assert [error.code for error in response.errors] == [8]
    # The one behind the bad one was discarded unread: it has to come again.
    apnsim.wait("device:c outcome:delivered")


def test_who_has_removed_the_app(apnsim, provider):
    [token] = apnsim.device("carol", TOPIC)
    apnsim.api("POST", "/devices/carol/uninstall", {"topic": TOPIC})
    provider.send(token, "Hello?")
    apnsim.wait("device:carol outcome:refused")
    assert [expired.token for expired in provider.get_expired_tokens()] == [token]


def test_a_wait_in_vain_says_what_came_nearest(apnsim, provider):
    [token] = apnsim.device("dave", TOPIC)
    provider.send(token, "order #17")
    with pytest.raises(AssertionError, match="payload.aps.alert"):
        apnsim.wait('device:dave alert~"Order"', timeout="200ms")
