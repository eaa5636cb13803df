"""`openssl s_client`, and what is no TLS at all: old versions, no certificate, plain text, silence."""

import socket
import subprocess

import pytest

from frames import enhanced, error_response
from simulator import PATIENCE, read_to_end, token

BAD_FRAME = enhanced(0xD2040000, "ab" * 31)


def s_client(simulator, port, *options, provider=None, given=b""):
    """Writes `given`, reads until the other side closes; stdout is what came, stderr what s_client says of it."""
    command = [
        "openssl", "s_client", "-connect", f"{simulator.host}:{port}", "-CAfile", simulator.ca, "-brief",
        "-ign_eof", *options,
    ]
    if provider:
        command += ["-cert", provider.certificate, "-key", provider.key]
    return subprocess.run(command, input=given, capture_output=True, timeout=PATIENCE)


def assert_still_serves(simulator):
    """A good provider is served as if nothing had happened."""
    with simulator.connect(simulator.gateway) as connection:
        connection.sendall(BAD_FRAME)
        assert read_to_end(connection) == error_response(5, 0xD2040000)
    with simulator.connect(simulator.feedback) as connection:
        assert read_to_end(connection) == b""


@pytest.mark.parametrize(
    "option, version", [("-tls1", b"TLSv1"), ("-tls1_1", b"TLSv1.1"), ("-tls1_2", b"TLSv1.2")])
def test_old_tls_gets_the_error_response(simulator, option, version):
    ended = s_client(
        simulator, simulator.gateway, option, "-cipher", "ALL:@SECLEVEL=0", provider=simulator.provider,
        given=BAD_FRAME)
    assert b"Protocol version: " + version + b"\n" in ended.stderr
    assert b"Verification: OK" in ended.stderr
    assert ended.stdout == error_response(5, 0xD2040000)


def test_tls_1_3_is_not_offered_by_default(simulator):
    ended = s_client(simulator, simulator.gateway, "-tls1_3", provider=simulator.provider)
    assert ended.returncode != 0 and b"alert protocol version" in ended.stderr


@pytest.mark.parametrize("port", ["gateway", "feedback"])
def test_no_certificate_is_refused_in_the_handshake(simulator, port):
    ended = s_client(simulator, getattr(simulator, port))
    assert ended.returncode != 0
    assert b"SSL alert number 40" in ended.stderr
    assert_still_serves(simulator)


@pytest.mark.parametrize("port", ["gateway", "feedback"])
@pytest.mark.parametrize(
    "text", [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", bytes(100_000), enhanced(1, token(1))],
    ids=["HTTP", "zeros", "a notification"])
def test_plain_text_is_turned_away_and_the_server_lives_on(simulator, port, text):
    with socket.create_connection((simulator.host, getattr(simulator, port)), timeout=PATIENCE) as connection:
        try:
            connection.sendall(text)
            assert len(read_to_end(connection)) <= 7  # at most one TLS alert
        except ConnectionError:
            pass  # closed with what was written still unread
    assert_still_serves(simulator)
    simulator.stop()
    assert simulator.accepted() == []


def test_peers_that_say_nothing_are_in_nobodys_way(simulator):
    silent = [socket.create_connection((simulator.host, simulator.gateway)) for _ in range(100)]
    assert_still_serves(simulator)
    for connection in silent:
        connection.close()
    assert_still_serves(simulator)
