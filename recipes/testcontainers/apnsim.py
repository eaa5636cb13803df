"""apnsim in a container, for Testcontainers (`pip install testcontainers httpx[http2] pyjwt[crypto]`).

    with ApnsimContainer() as apnsim:
        provider = MyProvider(apnsim.http2_url, ca=apnsim.ca, key=apnsim.auth_key, key_id=apnsim.key_id, team=apnsim.team_id)

Copy this file. The container has its own certificates and keys; the control API hands them out.
"""

import json
import os
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

GATEWAY, FEEDBACK, HTTP2, CONTROL = 2195, 2196, 2197, 2199
IMAGE = os.environ.get("APNSIM_IMAGE", "apnsim:0.2.0")


class ApnsimContainer(DockerContainer):
    """The simulator. What it is started with is said by settings: `ApnsimContainer(clock="virtual")`."""

    def __init__(self, image=IMAGE, **settings):
        super().__init__(image)
        self.with_exposed_ports(GATEWAY, FEEDBACK, HTTP2, CONTROL)
        # `badge_absent="clear"` is the setting --badge-absent. The certificate has localhost and what is named here.
        for name, value in settings.items():
            self.with_env(f"APNSIM_{name.upper()}", str(value))
        # Every listener is bound, and the scenario is loaded.
        self.waiting_for(HttpWaitStrategy(CONTROL, "/readyz").for_status_code(200))

    def start(self):
        super().start()
        self._folder = tempfile.TemporaryDirectory()
        self.credentials = self.call("GET", "/credentials")
        self.ca = self._file("ca.pem", "ca")
        self.auth_key = self._file(f"AuthKey_{self.credentials['keyId']}.p8", "authKey")
        self.certificate = self._file("provider.pem", "providerCertificate")
        self.key = self._file("provider.key", "providerKey")
        self.key_id, self.team_id = self.credentials["keyId"], self.credentials["teamId"]
        return self

    def _file(self, name, member):
        path = Path(self._folder.name, name)
        path.write_text(self.credentials[member])
        return str(path)

    @property
    def host(self):
        return self.get_container_host_ip()

    def port(self, inside):
        """The port here of one in the container: GATEWAY, FEEDBACK, HTTP2, CONTROL."""
        return int(self.get_exposed_port(inside))

    @property
    def http2_url(self):
        return f"https://{self.host}:{self.port(HTTP2)}"

    @property
    def control_url(self):
        return f"http://{self.host}:{self.port(CONTROL)}"

    def call(self, method, path, body=None):
        """A request to the control API: its answer, or AssertionError with the problem that it names."""
        request = urllib.request.Request(
            f"{self.control_url}/api/v1{path}", method=method,
            data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def reset(self):
        """Back to the state after the start, in less than a millisecond: before each test."""
        self.call("POST", "/reset")

    def wait(self, where, at_least=1, timeout="5s"):
        """The notifications that match; fails with what came nearest where too few do in time."""
        found = self.call("POST", "/notifications/wait", {
            "where": where, "count": {"atLeast": at_least}, "timeout": timeout})
        assert found["satisfied"], f"{found['matched']} matched; nearest: {json.dumps(found['nearMisses'], indent=1)}"
        return found["notifications"]
