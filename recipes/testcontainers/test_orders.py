"""Two tests of a provider against apnsim in a container. `push` stands in for your provider."""

import time

import httpx
import jwt
import pytest

from apnsim import ApnsimContainer

TOKEN = "c0" * 32


@pytest.fixture(scope="session")
def container():
    with ApnsimContainer(seed=1) as started:
        yield started


@pytest.fixture
def apnsim(container):
    container.reset()
    return container


def push(apnsim, alert, token=TOKEN):
    """A push over HTTP/2 with a provider token; the server's certificate is verified."""
    claims = {"iss": apnsim.team_id, "iat": int(time.time())}
    with open(apnsim.auth_key) as key:
        bearer = jwt.encode(claims, key.read(), algorithm="ES256", headers={"kid": apnsim.key_id})
    with httpx.Client(http2=True, verify=apnsim.ca) as client:
        return client.post(
            f"{apnsim.http2_url}/3/device/{token}", json={"aps": {"alert": alert}},
            headers={"authorization": f"bearer {bearer}", "apns-topic": "com.example.app", "apns-push-type": "alert"})


def test_it_arrives(apnsim):
    assert push(apnsim, "Your order has shipped").status_code == 200
    [notification] = apnsim.wait({"token": TOKEN})
    assert notification["payload"]["aps"]["alert"] == "Your order has shipped"


def test_a_removed_app_is_answered_with_410(apnsim):
    apnsim.call("PUT", "/devices/alice", {"apps": [
        {"topic": "com.example.app", "environment": "production", "token": TOKEN, "installed": False}]})
    # The first push tells the service that the app is gone; from the next on, it says so.
    push(apnsim, "one")
    answer = push(apnsim, "two")
    assert (answer.status_code, answer.json()["reason"]) == (410, "Unregistered")
