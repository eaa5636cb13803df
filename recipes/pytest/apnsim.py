"""A pytest fixture around apnsim: a push service for one test, on free ports. Standard library only.

    def test_an_order_is_announced(apnsim):
        my_provider.notify(host=apnsim.host, port=apnsim.gateway, ca=apnsim.ca, cert=apnsim.provider_certificate, ...)
        apnsim.wait("topic:com.example.app", count=1)

Copy this file and `from apnsim import apnsim, apnsim_server` in your conftest.py. APNSIM_BIN says where the program
is; otherwise it is looked for on the PATH.
"""

import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest


class Apnsim:
    """A running simulator: where it is, and what can be asked of it."""

    def __init__(self, endpoints):
        self.host = endpoints["host"]
        self.gateway, self.feedback = endpoints["gateway"], endpoints["feedback"]
        self.control = endpoints["control"]
        self.ca = endpoints["ca"]
        self.provider_certificate = endpoints["providerCertificate"]
        self.provider_key = endpoints["providerKey"]

    def api(self, method, path, body=None, timeout=30):
        """One request to the control API; its answer's JSON, or None. Problems become assertion errors."""
        request = urllib.request.Request(
            f"{self.control}/api/v1{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode(errors='replace')}") from None

    def wait(self, query=None, count=1, timeout="5s", **more):
        """Returns the notifications once so many have matched; fails with what came nearest otherwise."""
        body = {"count": {"atLeast": count}, "timeout": timeout, **more}
        if query is not None:
            body["query"] = query
        answer = self.api("POST", "/notifications/wait", body, timeout=60)
        assert answer["satisfied"], json.dumps(
            {key: answer[key] for key in ("expected", "matched", "waited", "nearMisses") if key in answer}, indent=2)
        return answer["notifications"]

    def device(self, name, *topics, online=True):
        """Makes a device with these apps and returns their tokens, in order."""
        apps = [{"topic": topic} for topic in topics]
        device = self.api("PUT", f"/devices/{urllib.parse.quote(name)}", {"online": online, "apps": apps})
        tokens = {app["topic"]: app["token"] for app in device["apps"]}
        return [tokens[topic] for topic in topics]

    def inbox(self, name):
        """What a device was delivered, oldest first."""
        return self.api("GET", f"/devices/{urllib.parse.quote(name)}/inbox")["notifications"]

    def reset(self):
        """Back to the state just after the start."""
        self.api("POST", "/reset")


@pytest.fixture(scope="session")
def apnsim_server(tmp_path_factory):
    """The process: one for all tests."""
    command = [os.environ.get("APNSIM_BIN", "apnsim"), "serve", "--ephemeral", "--print", "json"]
    command += ["--certs", str(tmp_path_factory.mktemp("apnsim") / "certs")]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            line = process.stdout.readline()  # written once every listener is bound
            assert line, f"{command[0]} did not start"
            yield Apnsim(json.loads(line))
        finally:
            process.terminate()


@pytest.fixture
def apnsim(apnsim_server):
    """The same as new for each test."""
    apnsim_server.reset()
    return apnsim_server
