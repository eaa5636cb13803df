"""The HTTP/2 provider API, as today's providers use it: curl, httpx and aioapns."""

import json
import shutil
import ssl
import subprocess

import pytest

import simulator as apnsim
from http2_peers import Aioapns, Push, context, jwt

httpx = pytest.importorskip("httpx")

TOPIC = apnsim.TOPIC
PAYLOAD = {"aps": {"alert": "hi"}}
UNKNOWN = "ee" * 32


def client(simulator):
    return httpx.Client(
        http1=False, http2=True, verify=context(simulator),
        base_url=f"https://{simulator.host}:{simulator.http2}", timeout=apnsim.PATIENCE)


def pushes(simulator):
    return [event for event in simulator.events("notification") if event.get("interface") == "http2"]


# --- TLS -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("offered, chosen", [(["h2", "http/1.1"], "h2"), (["http/1.1"], None), ([], None)])
def test_alpn_chooses_h2_and_nothing_else(simulator, offered, chosen):
    plain = ssl.create_default_context(cafile=simulator.ca)
    if offered:
        plain.set_alpn_protocols(offered)
    with plain.wrap_socket(
            simulator.connect_plain(simulator.http2), server_hostname=simulator.host) as connection:
        assert connection.selected_alpn_protocol() == chosen
        assert connection.version() == "TLSv1.3"
        # HTTP/2 is spoken all the same: SETTINGS come first.
        assert connection.recv(9)[3:5] == b"\x04\x00"


def test_what_a_provider_says_makes_no_line_of_the_log(simulator):
    debug = b"x\n15:00:00.000 error    forged"
    frames = b"\0\0\0\4\0\0\0\0\0" + len(debug + b"12345678").to_bytes(3, "big") + b"\7\0\0\0\0\0" + bytes(7) + b"\2" + debug
    plain = ssl.create_default_context(cafile=simulator.ca)
    with plain.wrap_socket(
            simulator.connect_plain(simulator.http2), server_hostname=simulator.host) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frames)
        apnsim.wait_until(lambda: "forged" in simulator.log, "the debug data in the log")
    line = next(line for line in simulator.log.splitlines() if "forged" in line)
    assert line.endswith(r"the provider ends with GOAWAY INTERNAL_ERROR: x\n15:00:00.000 error    forged")


# --- curl ----------------------------------------------------------------------------------------


def curl(simulator, *arguments, device=apnsim.token(1)):
    if not shutil.which("curl") or "HTTP2" not in subprocess.run(
            ["curl", "--version"], capture_output=True, text=True, check=True).stdout:
        pytest.skip("there is no curl with HTTP/2")
    url = f"https://localhost:{simulator.http2}/3/device/{device}"
    return subprocess.run(
        ["curl", "-sS", "-i", "--cacert", simulator.ca, *arguments, "-d", json.dumps(PAYLOAD), url],
        capture_output=True, text=True, timeout=apnsim.PATIENCE)


def test_curl_pushes_with_a_provider_token(simulator):
    bearer = f"authorization: bearer {jwt(simulator)}"
    answer = curl(simulator, "--http2", "-H", bearer, "-H", f"apns-topic: {TOPIC}")
    assert answer.stdout.startswith("HTTP/2 200"), answer
    assert "\napns-id: " in answer.stdout and "content-type" not in answer.stdout
    answer = curl(simulator, "--http2", "-H", bearer)
    assert answer.stdout.startswith("HTTP/2 400") and answer.stdout.endswith('{"reason":"MissingTopic"}')
    simulator.stop()
    assert [push["status"] for push in pushes(simulator)] == [200, 400]
    assert pushes(simulator)[0]["auth"] == {"kind": "token", "team": "APNSIMTEAM", "key": "APNSIMKEY1"}


def test_curl_pushes_with_a_certificate(simulator):
    provider = simulator.provider
    answer = curl(simulator, "--http2", "--cert", provider.certificate, "--key", provider.key)
    assert answer.stdout.startswith("HTTP/2 200"), answer


def test_curl_without_http2_is_told_as_apple_does(simulator):
    answer = curl(simulator, "--http1.1")
    assert answer.returncode != 0 and "HTTP/0.9" in answer.stderr
    said = "Unexpected HTTP/1.x request: POST /3/device/"
    apnsim.wait_until(lambda: said in simulator.log, "what the log says of it")


def test_curl_manages_channels_where_apple_has_them(start):
    simulator = start("--environment", "both")
    bearer = f"authorization: bearer {jwt(simulator)}"
    for port in (simulator.gateway, simulator.feedback):
        url = f"https://localhost:{port}/1/apps/{TOPIC}/channels"
        answer = subprocess.run(
            ["curl", "-sS", "-i", "--http2", "--cacert", simulator.ca, "-H", bearer, "-d",
             '{"message-storage-policy":1,"push-type":"LiveActivity"}', url],
            capture_output=True, text=True, timeout=apnsim.PATIENCE)
        assert answer.stdout.startswith("HTTP/2 201") and "\napns-channel-id: " in answer.stdout, answer
    simulator.stop()
    created = simulator.events("channelCreated")
    assert [event["environment"] for event in created] == ["sandbox", "production"]


# --- httpx ---------------------------------------------------------------------------------------


def push(provider, token, device=apnsim.token(1), **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        named["authorization"] = f"bearer {token}"
    return provider.post(f"/3/device/{device}", json=PAYLOAD, headers={"apns-topic": TOPIC} | named)


def test_reasons(start):
    simulator = start("--tokens", "known", scenario=apnsim.scenario([apnsim.device(apnsim.token(1))]))
    good = {"token": jwt(simulator)}
    with client(simulator) as provider:
        for change, status, reason in [
            ({"token": None}, 403, "MissingProviderToken"),
            ({"token": "nonsense"}, 403, "InvalidProviderToken"),
            ({"device": "abc"}, 400, "BadDeviceToken"),
            ({"device": UNKNOWN}, 400, "BadDeviceToken"),
            ({"apns_priority": "7"}, 400, "BadPriority"),
            ({"apns_push_type": "alerts"}, 400, "InvalidPushType"),
            ({"apns_id": "1"}, 400, "BadMessageId"),
            ({"apns_collapse_id": "c" * 65}, 400, "BadCollapseId"),
            ({"apns_expiration": "tomorrow"}, 400, "BadExpirationDate"),
        ]:
            answer = push(provider, **(good | change))
            assert (answer.status_code, answer.json()) == (status, {"reason": reason}), change


def test_the_token_of_an_hour_ago_is_expired(start):
    simulator = start("--clock", "virtual@2026-06-01T00:00:00Z")
    with client(simulator) as provider:
        assert push(provider, jwt(simulator, "--issued-at", "2026-06-01T00:00:00Z")).status_code == 200
    with client(simulator) as provider:
        answer = push(provider, jwt(simulator, "--issued-at", "2026-05-31T22:59:00Z"))
        assert answer.json() == {"reason": "ExpiredProviderToken"}


def test_keys_of_2025(start):
    simulator = start()
    path = apnsim.apnsim(
        "certs", "key", "--certs", simulator.certs, "--environment", "production", "--topic", TOPIC
    ).stdout.strip()
    key = path.rsplit("AuthKey_", 1)[1].removesuffix(".p8")
    token = jwt(simulator, "--key", key)
    with client(simulator) as provider:
        assert push(provider, token).status_code == 200
        assert push(provider, token, apns_topic="com.example.else").json() == {"reason": "TopicDisallowed"}


# --- aioapns -------------------------------------------------------------------------------------


def test_aioapns_finds_the_identifier_that_it_chose(simulator):
    chosen = "123e4567-e89b-12d3-a456-4266554400a0"
    # The peer asserts that each result has the identifier of its request.
    assert Aioapns(simulator).push([Push("its own", apns_id=chosen)]) == [(200, "")]
    simulator.stop()
    assert [push["apnsId"] for push in pushes(simulator)] == [chosen]
