"""A simulator whose state outlives its process: started in one directory, killed, and started again."""

import json
import os
import signal
import ssl
import subprocess
from pathlib import Path

import simulator as apnsim
from control import call
from simulator import PATIENCE, wait_until


class Kept:
    """`apnsim serve --state` on free ports, as often as it is wanted."""

    def __init__(self, certificates, directory, *flags, scenario=None, record="run.jsonl", state=None):
        self.directory, self.certificates = Path(directory), Path(certificates)
        self.endpoints_file = self.directory / "endpoints.json"
        self.log_file = self.directory / "apnsim.log"
        self.state = Path(state or self.directory / "state")
        self.recording = self.directory / record
        self.command = [
            apnsim.BINARY, "serve", "--ephemeral", "--certs", str(certificates), "--endpoints-file",
            str(self.endpoints_file), "--state", str(self.state), "--record", str(self.recording), *apnsim.PATIENT, *flags,
        ]
        if scenario is not None:
            path = self.directory / "scenario.json"
            path.write_text(json.dumps(scenario, indent=1))
            self.command += ["--scenario", str(path)]
        self.process, self.is_ending = None, False

    # --- Its process -----------------------------------------------------------------------------

    def spawn(self):
        """Starts it and does not wait."""
        self.endpoints_file.unlink(missing_ok=True)
        self.is_ending = False
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def start(self):
        """Starts it and waits until it listens."""
        self.spawn()
        wait_until(lambda: self.endpoints_file.exists() or self.process.poll() is not None, "the endpoints file")
        assert self.process.poll() is None, f"apnsim ended with {self.process.returncode}:\n{self.log[-4000:]}"
        endpoints = json.loads(self.endpoints_file.read_text())
        self.host, self.control = endpoints["host"], endpoints["control"]
        self.gateway, self.feedback, self.http2 = (endpoints[name] for name in ("gateway", "feedback", "http2"))
        self.device = endpoints["device"]
        self.ca = endpoints["ca"]
        self.identity = endpoints["providerCertificate"], endpoints["providerKey"]
        # Making a context reads files: once for all connections.
        self.provider_context = self.context(*self.identity)
        self.device_context = self.context(self.certificates / "device.pem", self.certificates / "device.key")
        self.request_context = self.context(*self.identity)
        self.request_context.set_alpn_protocols(["h2"])

    def kill(self):
        """Ends it in the middle of whatever it does."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        """Asks it to end, which it does well."""
        self.is_ending = True
        os.kill(self.process.pid, signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        assert status == 0, f"apnsim ended with {status}:\n{self.log[-4000:]}"

    @property
    def log(self):
        return self.log_file.read_text(errors="replace")

    # --- Its doors -------------------------------------------------------------------------------

    def context(self, certificate, key):
        context = ssl.create_default_context(cafile=self.ca)
        context.load_cert_chain(certificate, key)
        return context

    def connect(self, port, context):
        """A TLS connection, whose end without close_notify is an error."""
        plain = apnsim.socket.create_connection((self.host, port), timeout=PATIENCE)
        return context.wrap_socket(plain, server_hostname=self.host, suppress_ragged_eofs=False)

    def call(self, method, path, body=None):
        """One request to the control API: its status and what its body says."""
        return call(method, f"{self.control}/api/v1{path}", body)

    def get(self, path):
        status, answer = self.call("GET", path)
        assert status == 200, (path, status, answer)
        return answer

    def pages(self, path, name, after=None):
        """Everything of a list that comes in pages."""
        found = []
        while True:
            mark = "&" if "?" in path else "?"
            page = self.get(path + (f"{mark}after={after}" if after else ""))
            found += page[name]
            after = page.get("next")
            if after is None:
                return found

    # --- Its recording ---------------------------------------------------------------------------

    def assert_replays_exactly(self):
        """The recording of all its processes is one, and gives itself: every answer and every line, byte for byte."""
        assert not Path(f"{self.recording}.previous").exists(), self.log[-4000:]
        run = subprocess.run(
            [apnsim.BINARY, "replay", "--offline", str(self.recording)], capture_output=True, text=True,
            timeout=PATIENCE, check=False)
        assert run.returncode == 0, (run.stdout[-4000:], run.stderr[-4000:])
        assert "the same journal, byte for byte" in run.stdout, run.stdout[-4000:]
