"""Starts the built `apnsim` for one claim, reads what the system says of it, and stops it."""

import contextlib
import json
import os
import resource
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("APNSIM_BIN", str(ROOT / ".build/release/apnsim"))
TOPIC = "com.example.app"
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


def thread_names(pid):
    names = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError):
            names.append((task / "comm").read_text())
    return names


class Figures:
    """What a process uses at one moment."""

    def __init__(self, pid):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        self.cpu = (int(fields[11]) + int(fields[12])) / TICK
        names = thread_names(pid)
        # Threads of libdispatch run the tasks; it adds one when another waits, and keeps it for a while.
        self.workers = sum("qos" in name for name in names)
        self.threads = len(names) - self.workers
        self.resident = int(fields[21]) * PAGE
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))


class Server:
    """`apnsim serve` on free ports. Leaving the `with` block ends it."""

    def __init__(self, setup, *flags, limits=(), record=None, scenario=None):
        """limits: pairs of a resource and its limit for the process."""
        self.directory = setup.directory()
        self.log_file = self.directory / "apnsim.log"
        self.endpoints_file = self.directory / "endpoints.json"
        self.limits = limits
        self.command = [
            BINARY, "serve", "--ephemeral", "--certs", str(setup.certificates), "--seed", "1",
            "--endpoints-file", str(self.endpoints_file), *map(str, flags),
        ]
        if record:
            self.command += ["--record", str(record)]
        if scenario:
            path = self.directory / "scenario.json"
            path.write_text(json.dumps(scenario))
            self.command += ["--scenario", str(path)]

    def _limit(self):
        for kind, value in self.limits:
            resource.setrlimit(kind, (value, value))

    def __enter__(self):
        with open(self.log_file, "wb") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                preexec_fn=self._limit if self.limits else None)
        try:
            wait_until(lambda: self.endpoints_file.exists() or self.ended, "the endpoints file", 60)
            if self.ended:
                raise AssertionError(f"apnsim ended with {self.process.returncode}:\n{self.log}")
        except BaseException:
            self.kill()
            raise
        self.endpoints = json.loads(self.endpoints_file.read_text())
        self.host, self.pid = self.endpoints["host"], self.process.pid
        self.gateway, self.feedback = self.endpoints["gateway"], self.endpoints["feedback"]
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.stop()
        else:
            self.kill()

    @property
    def ended(self):
        return self.process.poll() is not None

    @property
    def log(self):
        return self.log_file.read_text(errors="replace")

    @property
    def figures(self):
        return Figures(self.pid)

    def context(self):
        """A provider's side of TLS: each handshake a full one, as no session is ever given to it."""
        context = ssl.create_default_context(cafile=self.endpoints["ca"])
        context.load_cert_chain(self.endpoints["providerCertificate"], self.endpoints["providerKey"])
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        return context

    def connect(self, port=None, timeout=30):
        """One blocking connection as a provider opens it."""
        plain = socket.create_connection((self.host, port or self.gateway), timeout=timeout)
        return self.context().wrap_socket(plain, server_hostname=self.host, suppress_ragged_eofs=False)

    def terminate(self):
        os.kill(self.pid, signal.SIGTERM)

    def stop(self, seconds=30):
        """Asks it to end; its exit status and how long it took."""
        start = time.monotonic()
        if not self.ended:
            self.terminate()
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"apnsim did not end within {seconds} s of SIGTERM") from None
        return status, time.monotonic() - start

    def kill(self):
        self.process.kill()
        self.process.wait()


def wait_until(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.02)


def certificates(directory):
    """A directory of certificates made once for all claims."""
    subprocess.run([BINARY, "certs", "init", "--certs", str(directory)], check=True, capture_output=True)
    return directory
