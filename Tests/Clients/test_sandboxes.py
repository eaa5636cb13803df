"""Sandboxes as a test suite uses them: providers over TLS, the commands of the built program, and their end."""

import json
import subprocess

import pytest

import control
from frames import enhanced, error_response
from simulator import BINARY, PATIENCE, TOPIC, read_to_end, token


class Sandbox:
    """One sandbox of a running simulator."""

    def __init__(self, simulator, scenario=None):
        self.simulator = simulator
        self.root = json.loads(simulator.endpoints_file.read_text())["control"]
        status, self.made = control.call("POST", f"{self.root}/api/v1/sandboxes", scenario or {})
        assert status == 201, self.made
        self.id, self.base = self.made["id"], self.root + self.made["base"]

    def connect(self):
        return self.simulator.connect(self.made["gateway"])

    def wait(self, count):
        """Returns once so many notifications have come."""
        body = {"count": {"atLeast": count}, "timeout": f"{PATIENCE}s"}
        status, result = control.call("POST", f"{self.base}/notifications/wait", body)
        assert (status, result["satisfied"]) == (200, True), result

    def delete(self):
        assert control.call("DELETE", self.base) == (204, None)

    def run(self, *arguments):
        """One command of the built program that is about this sandbox."""
        command = [BINARY, *arguments, "--sandbox", self.id, "--control", self.root]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture
def simulator(start):
    # Bytes still under way when a sandbox is deleted arrive once it has had so long to drain.
    return start("--drain=1s", record=False)


def test_deleting_one_drains_the_providers_that_are_connected(simulator):
    # The second connection's answers are under way for an hour, unless the end comes before.
    sandbox = Sandbox(simulator, {"rules": [
        {"when": {"connection": 2}, "fault": {"latency": "1h"}},
        {"when": {"connection": 2, "nth": 3}, "reply": {"status": 8}},
    ]})
    with sandbox.connect() as quiet, sandbox.connect() as failed:
        quiet.sendall(enhanced(1, token(1)))
        failed.sendall(b"".join(enhanced(number, token(2)) for number in range(1, 6)))
        sandbox.wait(6)
        sandbox.delete()
        # The answer to what was received arrives, and then the end, in order: neither end is ragged, which read_to_end
        # would not take.
        assert read_to_end(failed) == error_response(8, 3)
        assert read_to_end(quiet) == b""
    with pytest.raises(ConnectionRefusedError):
        sandbox.connect()
    assert control.call("GET", f"{sandbox.base}/clock")[0] == 404
    # The others go on.
    with simulator.connect(simulator.gateway) as connection:
        connection.sendall(enhanced(7, "ab" * 31))
        assert read_to_end(connection) == error_response(5, 7)


def test_every_command_can_be_about_one(simulator):
    sandbox, other = Sandbox(simulator), Sandbox(simulator)
    added = sandbox.run("device", "add", "bob", "--app", TOPIC, "--json")
    assert added.returncode == 0, added.stderr
    bob = json.loads(added.stdout)["apps"][0]["token"]
    with sandbox.connect() as connection:
        connection.sendall(enhanced(1, bob))
        arrived = sandbox.run("wait", "--query", "device:bob", "--timeout", f"{PATIENCE}s")
        assert arrived.returncode == 0 and "bob  delivered" in arrived.stdout, arrived
        assert "Hello" in sandbox.run("device", "inbox", "bob").stdout
        assert sandbox.run("connections", "list", "--open").stdout.startswith("c1  open")
        assert sandbox.run("fault", "add", "--status", "8").stdout == "r1\n"
        assert sandbox.run("clock", "advance", "2h").returncode == 0
        assert sandbox.run("connections", "kill", "c1").returncode == 0
        assert read_to_end(connection) == b""
    assert "\"Hello\"" in sandbox.run("watch", "--all", "--query", "device:bob", "--count", "1").stdout
    assert sandbox.run("reset").returncode == 0
    for elsewhere in [other.run("device", "list"), sandbox.run("device", "list")]:
        assert elsewhere.stdout == "no devices\n"
    sandbox.delete()
    gone = sandbox.run("device", "list")
    assert (gone.returncode, gone.stderr.splitlines()[0]) == (
        2, f'apnsim: error: there is no sandbox "{sandbox.id}"')
