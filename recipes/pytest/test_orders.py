"""How a push provider is tested: four questions, over both interfaces."""

import json
import socket
import ssl
import struct
import time
from contextlib import closing

import httpx
import pytest

from apnsim import TOPIC


class BinaryProvider:
    """Stands in for your provider: the binary interface, where success is silence."""

    def __init__(self, apnsim):
        self.address = (apnsim.host, apnsim.gateway)
        self.context = ssl.create_default_context(cafile=apnsim.ca)
        self.context.load_cert_chain(apnsim.provider_certificate, apnsim.provider_key)
        self.connect()

    def connect(self):
        plain = socket.create_connection(self.address, 5)
        self.socket = self.context.wrap_socket(plain, server_hostname=self.address[0])

    def close(self):
        self.socket.close()

    def send(self, alert, *tokens):
        """Writes a frame for each token; identifiers count from 0."""
        self.socket.sendall(b"".join(self.frame(alert, token, number) for number, token in enumerate(tokens)))

    def error(self):
        """The error packet: its status, and the identifier of the notification that it is about."""
        return struct.unpack(">xBI", self.socket.makefile("rb").read(6))

    @staticmethod
    def frame(alert, token, identifier):
        payload = json.dumps({"aps": {"alert": alert}}).encode()
        items = [(1, bytes.fromhex(token)), (2, payload), (3, struct.pack(">I", identifier))]
        body = b"".join(struct.pack(">BH", item, len(data)) + data for item, data in items)
        return struct.pack(">BI", 2, len(body)) + body


class HTTP2Provider:
    """Stands in for your provider: a request for each notification, which is answered."""

    def __init__(self, apnsim):
        self.client = httpx.Client(
            http1=False, http2=True, base_url=f"https://{apnsim.host}:{apnsim.http2}",
            verify=ssl.create_default_context(cafile=apnsim.ca),
            headers={"authorization": f"bearer {apnsim.provider_token()}", "apns-topic": TOPIC})

    def close(self):
        self.client.close()

    def send(self, alert, token):
        return self.client.post(f"/3/device/{token}", json={"aps": {"alert": alert}})


@pytest.fixture
def binary(apnsim):
    with closing(BinaryProvider(apnsim)) as provider:
        yield provider


@pytest.fixture
def http2(apnsim):
    with closing(HTTP2Provider(apnsim)) as provider:
        yield provider


@pytest.fixture(params=["binary", "http2"])
def provider(request):
    return request.getfixturevalue(request.param)


def test_it_arrives(apnsim, provider):
    provider.send("Your order is on its way", apnsim.device("alice/2 iPad"))
    [notification] = apnsim.wait('device:"alice/2 iPad" alert~"order"')
    assert notification["outcome"] == "delivered"
    assert apnsim.alerts("alice/2 iPad") == ["Your order is on its way"]


def test_a_wait_in_vain_says_what_came_nearest(apnsim, provider):
    provider.send("order #17", apnsim.device("bob"))
    with pytest.raises(pytest.fail.Exception, match='payload.aps.alert: expected contains "Order", found "order #17"'):
        apnsim.wait('device:bob alert~"Order"', timeout="200ms")


def test_what_was_sent_after_an_error_has_to_be_sent_again(apnsim, binary):
    tokens = [apnsim.device(name) for name in ("carol", "dave", "erin")]
    apnsim.api("POST", "/faults", {"when": {"nth": 2}, "reply": {"status": 8}, "times": 1})
    binary.send("Hello", *tokens)
    status, failed = binary.error()
    assert (status, failed) == (8, 1)
    apnsim.wait("device:erin outcome:discarded")
    binary.connect()
    binary.send("Hello", *tokens[failed + 1:])
    apnsim.wait("device:erin outcome:delivered")


def test_a_removed_app_is_answered_with_410_and_the_time(apnsim, http2):
    token = apnsim.device("frank")
    apnsim.api("POST", "/devices/frank/uninstall", {"topic": TOPIC})
    answer = http2.send("Hello?", token)
    assert answer.status_code == 410
    assert answer.json()["reason"] == "Unregistered"
    # Milliseconds. Only a token that the app registers after this time is worth another try.
    assert time.time() - 60 < answer.json()["timestamp"] / 1000 <= time.time()


def test_a_device_that_was_offline_shows_the_last_one(apnsim, provider):
    token = apnsim.device("grace", online=False)
    provider.send("first", token)
    provider.send("second", token)
    apnsim.wait("device:grace", count=2)
    assert apnsim.alerts("grace") == []
    apnsim.api("POST", "/devices/grace/online")
    assert apnsim.alerts("grace") == ["second"]
