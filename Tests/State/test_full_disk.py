"""A disk that fills up, or cannot be written: nothing is answered that is not kept."""

import contextlib
import json
import os
import subprocess

import h2.config
import h2.connection
import h2.events
import pytest

import frames
from control import call
from simulator import PATIENCE, TOPIC, token, wait_until

SIZE = 24 << 20
MOST = 12_000  # more pushes than the disk has room for


@contextlib.contextmanager
def disk(place, options=f"size={SIZE}"):
    """A small file system of its own, which takes root."""
    place.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, check=False).returncode == 0
    if not mounted:
        pytest.skip("THE FULL DISK IS NOT TESTED: mounting needs root")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def fill(path):
    """Takes all the room that is left."""
    with open(path, "wb", buffering=0) as ballast:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while ballast.write(bytes(size)) == size:
                    pass


class Provider:
    """A connection of a provider over HTTP/2, which pushes one after the other."""

    def __init__(self, simulator):
        self.socket = simulator.connect(simulator.http2, simulator.request_context)
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.connection.initiate_connection()
        self.number = 0

    def push(self, count, until=None):
        """(status, reason, apns-id) of each, up to one with that status; (None, None, None) where the connection ended."""
        answers = []
        for _ in range(count):
            self.number += 1
            answers.append(self.answer(self.number))
            if answers[-1][0] in (until, None):
                break
        return answers

    def answer(self, number):
        connection, body = self.connection, json.dumps({"aps": {"alert": "x" * 2500}}).encode()
        stream = connection.get_next_available_stream_id()
        connection.send_headers(stream, [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", f"/3/device/{token(number % 50 + 1)}"), ("apns-topic", TOPIC), ("apns-push-type", "alert")])
        connection.send_data(stream, body, end_stream=True)
        headers, data, is_ended = {}, b"", False
        while not is_ended:
            self.socket.sendall(connection.data_to_send())
            received = self.socket.recv(65536)
            if not received:
                return None, None, None
            for event in connection.receive_data(received):
                if isinstance(event, h2.events.ResponseReceived):
                    headers = dict(event.headers)
                elif isinstance(event, h2.events.DataReceived):
                    data += event.data
                    connection.acknowledge_received_data(event.flow_controlled_length, stream)
                is_ended = is_ended or isinstance(event, h2.events.StreamEnded)
        reason = json.loads(data)["reason"] if data else None
        return int(headers[":status"]), reason, headers.get("apns-id", "").lower()


def test_nothing_is_answered_that_is_not_kept(keep, tmp_path):
    with disk(tmp_path / "disk") as place:
        simulator = keep(tmp_path, "--state-log", "4MiB", state=place / "state")
        simulator.start()
        provider = Provider(simulator)
        gateway = simulator.connect(simulator.gateway, simulator.provider_context)
        gateway.sendall(frames.enhanced(7, token(1)))
        wait_until(lambda: simulator.get("/notifications")["notifications"], "the frame to be taken")
        fill(place / "ballast")
        answers = provider.push(MOST, until=503)
        assert answers[-1][:2] == (503, "ServiceUnavailable"), answers[-3:]
        assert {status for status, _, _ in answers[:-1]} == {200} and len(answers) > 100

        # A client that asks is told, and nothing else is taken in.
        status, ready = call("GET", f"{simulator.control}/readyz")
        assert (status, ready["missing"]) == (503, ["state"]) and "nothing can be kept" in ready["state"]["text"]
        status, problem = simulator.call("PUT", "/devices/bob", {"apps": [TOPIC]})
        assert (status, problem["title"]) == (503, "Suspended"), problem
        assert simulator.call("GET", "/devices/bob")[0] == 404
        state = simulator.get("/state")
        assert state["suspended"] and state["errors"] > 0 and state["lastError"], state
        assert [answer[:2] for answer in provider.push(3)] == 3 * [(503, "ServiceUnavailable")]
        gateway.sendall(frames.enhanced(8, token(1)))
        assert gateway.recv(6) == frames.error_response(10, 7), "status 10 names the last that was taken"
        # Nor does anybody come in who was not there.
        assert Provider(simulator).push(1)[0][0] in (503, None)
        with simulator.connect(simulator.gateway, simulator.provider_context) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(frames.enhanced(9, token(1)))
                assert connection.recv(6)[:2] in (b"", b"\x08\x0a")

        (place / "ballast").unlink()
        wait_until(lambda: call("GET", f"{simulator.control}/readyz")[0] == 200, "room to be found again")
        assert not simulator.get("/state")["suspended"]
        answers += Provider(simulator).push(20)
        assert {status for status, _, _ in answers[-20:]} == {200}
        simulator.kill()

        simulator.start()
        there = {
            one["apnsId"].lower() for one in simulator.pages("/notifications?limit=1000", "notifications")
            if one.get("apnsId")}
        assert {one for status, _, one in answers if status == 200} <= there
        assert not {one for status, _, one in answers if status == 503} & there
        simulator.stop()
        assert simulator.log.count("the state cannot be kept") == 1, simulator.log
        assert "the state can be kept again" in simulator.log
        simulator.assert_replays_exactly()


def test_a_disk_that_cannot_be_written_is_said(keep, tmp_path):
    with disk(tmp_path / "disk", "ro") as place:
        simulator = keep(tmp_path, state=place / "state")
        simulator.spawn()
        assert simulator.process.wait(PATIENCE) == 73, simulator.log
        assert str(place) in simulator.log and "ead-only file system" in simulator.log, simulator.log


def test_a_disk_that_is_full_at_the_start_is_said(keep, tmp_path):
    with disk(tmp_path / "disk", "size=1M") as place:
        simulator = keep(tmp_path, state=place / "state")
        simulator.spawn()
        assert simulator.process.wait(PATIENCE) == 73, simulator.log
        assert "no space left on" in simulator.log, simulator.log
