"""A pytest plugin around apnsim: a push service of its own for each test. Standard library only.

    def test_an_order_is_announced(apnsim):
        token = apnsim.device("alice")
        my_provider.notify(token, host=apnsim.host, port=apnsim.gateway, ca=apnsim.ca, ...)
        apnsim.wait('device:alice alert~"order"')

Copy this file, and write `pytest_plugins = ["apnsim"]` in the conftest.py of the root. APNSIM_BIN says where the
program is; otherwise it is looked for on the PATH.
"""

import json
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest

PROGRAM = os.environ.get("APNSIM_BIN", "apnsim")
TOPIC = "com.example.app"  # the provider's certificate is for this one


class Apnsim:
    """One simulator: where it is, and what can be asked of it."""

    def __init__(self, endpoints):
        self.host = endpoints["host"]
        self.gateway, self.feedback, self.http2 = endpoints["gateway"], endpoints["feedback"], endpoints["http2"]
        self.ca = endpoints["ca"]
        self.provider_certificate, self.provider_key = endpoints["providerCertificate"], endpoints["providerKey"]
        self.auth_key, self.key_id, self.team_id = endpoints["authKey"], endpoints["keyId"], endpoints["teamId"]
        self._control, self._base, self._id = endpoints["control"], endpoints["base"], endpoints["id"]

    def provider_token(self):
        """A provider token (JWT) of now, for a provider that does not sign its own with `auth_key`."""
        return self._run("certs", "jwt", "--certs", str(Path(self.auth_key).parent)).strip()

    def device(self, name, online=True):
        """Adds a device with the app, and returns the device token of the app."""
        body = {"online": online, "apps": [{"topic": TOPIC}]}
        return self.api("PUT", f"/devices/{quote(name, safe='')}", body)["apps"][0]["token"]

    def alerts(self, name):
        """The alerts that a device has shown, oldest first."""
        inbox = self.api("GET", f"/devices/{quote(name, safe='')}/inbox")["notifications"]
        return [notification["payload"]["aps"]["alert"] for notification in inbox]

    def wait(self, query, count=1, timeout="5s"):
        """Returns the notifications once so many have matched; fails with what came nearest otherwise."""
        answer = self.api("POST", "/notifications/wait", {
            "query": query, "count": {"atLeast": count}, "timeout": timeout})
        if not answer["satisfied"]:
            misses = [
                f"  {miss['id']} {difference['path']}: expected {difference['expected']}, found {difference['found']}"
                for miss in answer["nearMisses"] for difference in miss["differences"]]
            pytest.fail("\n".join([
                f"{answer['expected']} of {query}: {answer['matched']} within {answer['waited']}; nearest:",
                *(misses or ["  nothing"])]), pytrace=False)
        return answer["notifications"]

    def journal(self):
        """Everything that happened, as text."""
        return self._run("watch", "--all", "--for", "1s", "--control", self._control, "--sandbox", self._id)

    def api(self, method, path, body=None):
        """One request to the control API; the JSON of its answer, or None."""
        request = urllib.request.Request(
            self._control + self._base + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode(errors='replace')}") from None

    @staticmethod
    def _run(*arguments):
        return subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="session")
def apnsim_control():
    """The simulator of the whole run. `cat` ends when its input does, and with it the simulator."""
    command = [PROGRAM, "exec", "--log-level", "error", "--", "sh", "-c", 'echo "$APNSIM_CONTROL_URL"; exec cat']
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().strip()  # written once every listener is bound
        assert url, f"{PROGRAM} did not start"
        yield url
        process.terminate()  # a child that a test has forked may hold the input as well


@pytest.fixture
def apnsim(apnsim_control):
    """A sandbox in it for each test: ports, devices and a journal that no other test sees."""
    url = f"{apnsim_control}/api/v1/sandboxes"
    with urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=60) as response:
        sandbox = Apnsim(json.load(response))
    yield sandbox
    sandbox.api("DELETE", "")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A test that fails shows the journal of its sandbox."""
    outcome = yield
    report, sandbox = outcome.get_result(), item.funcargs.get("apnsim")
    if report.when == "call" and report.failed and isinstance(sandbox, Apnsim):
        report.sections.append(("apnsim journal", sandbox.journal()))
