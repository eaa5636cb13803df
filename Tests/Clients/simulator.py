"""Starts the built `apnsim` for one test, and reads its journal afterwards."""

import base64
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path

import frames

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("APNSIM_BIN", str(ROOT / ".build/debug/apnsim"))
TOPIC = "com.example.app"
# Seconds that any wait of a test in Python may take: only a hang reaches it, however busy the machine is.
PATIENCE = 600
# The simulator's own limits are no others: what it would not wait for, a busy machine would decide.
PATIENT = [f"--handshake-timeout={PATIENCE}s", f"--linger={PATIENCE}s"]


def wait_until(condition, what):
    """Returns once `condition` holds; fails where it never does, naming what did not come."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE} s in vain for {what}"
        time.sleep(0.01)


def apnsim(*arguments, check=True):
    """Runs one subcommand to its end."""
    return subprocess.run(
        [BINARY, *map(str, arguments)], check=check, capture_output=True, text=True, timeout=PATIENCE)


def api_document():
    """The OpenAPI document of the control API."""
    fetch = (
        "import os, urllib.request; "
        "print(urllib.request.urlopen(os.environ['APNSIM_CONTROL_URL'] + '/api/v1/openapi.json').read().decode())")
    return json.loads(apnsim("exec", "--", sys.executable, "-c", fetch).stdout)


def token(number):
    """The device token number so and so, as 64 hex digits; none of them is a magic token."""
    return f"{number:064x}"


def scenario(devices=(), feedback=(), topics=(TOPIC,)):
    """A scenario with one online device per token and one scripted tuple per (topic, token, time)."""
    return {
        "version": 1,
        "name": "real providers",
        "apps": {topic: {"environment": "production"} for topic in topics},
        "devices": {f"device{index}": device for index, device in enumerate(devices)},
        "feedback": [{"token": token, "app": topic, "at": at} for topic, token, at in feedback],
    }


def device(token, topic=TOPIC, installed=True):
    """A device of a scenario with one app."""
    app = {"topic": topic, "environment": "production", "token": token, "installed": installed}
    return {"apps": [app]}


class Provider:
    """A provider's certificate in the shapes that clients ask for: apart from its key, and in one file with it."""

    def __init__(self, certificate, key):
        self.certificate, self.key = str(certificate), str(key)
        self.combined = self.certificate.removesuffix(".pem") + "-combined.pem"


class Simulator:
    """`apnsim serve` on free ports. Leaving the `with` block stops it and checks that it ended well."""

    def __init__(self, certificates, directory, *flags, scenario=None, record=True):
        self.directory, self.certs = Path(directory), str(certificates)
        self.journal_file = self.directory / "journal.jsonl"
        self.endpoints_file = self.directory / "endpoints.json"
        self.log_file = self.directory / "apnsim.log"
        self.command = [
            BINARY, "serve", "--ephemeral", "--environment", "production", "--certs", str(certificates),
            "--endpoints-file", str(self.endpoints_file), *PATIENT, *flags,
        ]
        if record:
            self.command += ["--record", str(self.journal_file)]
        if scenario is not None:
            path = self.directory / "scenario.json"
            path.write_text(json.dumps(scenario, indent=1))
            self.command += ["--scenario", str(path)]

    def __enter__(self):
        with open(self.log_file, "wb") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until(lambda: self.endpoints_file.exists() or self.ended, "the endpoints file")
            assert not self.ended, f"apnsim ended with {self.process.returncode}:\n{self.log}"
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        endpoints = json.loads(self.endpoints_file.read_text())
        assert endpoints["version"] == 1 and endpoints["pid"] == self.process.pid
        self.host = endpoints["host"]
        self.gateway, self.feedback = endpoints["gateway"], endpoints["feedback"]
        self.http2, self.control = endpoints.get("http2"), endpoints.get("control")
        self.auth_key, self.key_id, self.team_id = (endpoints[key] for key in ("authKey", "keyId", "teamId"))
        self.ca = endpoints["ca"]
        self.provider = Provider(endpoints["providerCertificate"], endpoints["providerKey"])
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def ended(self):
        return self.process.poll() is not None

    @property
    def log(self):
        return self.log_file.read_text(errors="replace")

    def stop(self):
        """Asks it to end, which it does cleanly and with everything it received in the journal."""
        if not self.ended:
            os.kill(self.process.pid, signal.SIGTERM)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        assert status == 0, f"apnsim ended with {status}:\n{self.log}"

    def events(self, name=None):
        """The journal so far: its whole lines, without the header."""
        events = []
        with open(self.journal_file, encoding="utf-8") as lines:
            for line in lines:
                if line.endswith("\n") and (event := json.loads(line)).get("event", "") != "":
                    events.append(event)
        return [event for event in events if name in (None, event["event"])]

    def notifications(self, *outcomes):
        """Notifications in the order of receipt, only those with one of the outcomes if any is given."""
        notifications = [
            {"status": 0} | frames.facts(base64.b64decode(line["raw"])) | line
            for line in self.events("notification")]
        return [n for n in notifications if not outcomes or n["outcome"] in outcomes]

    def assert_replays_exactly(self):
        """The recording, replayed without a network, gives itself: every answer and every line, byte for byte."""
        replayed = self.journal_file.with_suffix(".replayed")
        run = apnsim(
            "replay", str(self.journal_file), "--offline", "--quiet", "--journal", str(replayed), check=False)
        assert run.returncode == 0, run.stderr
        assert replayed.read_bytes() == self.journal_file.read_bytes(), f"{replayed} is another than {self.journal_file}"

    def accepted(self):
        """Every notification that the gateway answered with silence."""
        return [n for n in self.notifications() if n["outcome"] not in ("rejected", "discarded")]

    def wait_for_accepted(self, count):
        """Returns once the journal has so many."""
        wait_until(lambda: len(self.accepted()) >= count, f"{count} accepted notifications in the journal")

    def context(self, provider=None):
        """The TLS settings of a provider."""
        provider = provider or self.provider
        context = ssl.create_default_context(cafile=self.ca)
        context.load_cert_chain(provider.certificate, provider.key)
        return context

    def connect_plain(self, port):
        """A TCP connection."""
        return socket.create_connection((self.host, port), timeout=PATIENCE)

    def connect(self, port, provider=None):
        """A TLS connection as a provider opens it."""
        # An end without close_notify is an error to the reader, not the end.
        return self.context(provider).wrap_socket(
            self.connect_plain(port), server_hostname=self.host, suppress_ragged_eofs=False)


def read_to_end(connection):
    """Every byte up to the other side's close."""
    received = bytearray()
    while chunk := connection.recv(65536):
        received += chunk
    return bytes(received)
