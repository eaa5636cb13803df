"""The servers that are measured: started on port 0, pinned, ended by their process id."""
import json
import os
import re
import select
import shutil
import subprocess
import time


class Server:
    """A process that prints where it listens as its first line."""

    def __init__(self, command, core=None, environment=None):
        pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=pin, env=environment,
        )
        ready, _, _ = select.select([self.process.stdout], [], [], 60)
        line = self.process.stdout.readline().decode() if ready else ""
        self.startSeconds = time.monotonic() - self.began
        if not line:
            self.stop()
            raise SystemExit(f"bench: {command[0]} did not start")
        self.gateway = self.feedback = self.http2 = 0
        self.control = None
        if line.startswith("{"):
            endpoints = json.loads(line)
            self.gateway, self.feedback = endpoints["gateway"], endpoints["feedback"]
            self.http2, self.control = endpoints.get("http2"), endpoints.get("control")
        else:
            self.gateway = self.feedback = self.http2 = int(line)

    @property
    def pid(self):
        return self.process.pid

    @property
    def residentBytes(self):
        with open(f"/proc/{self.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

    def stop(self):
        self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Place:
    """Where everything is: the built programs, certificates of four topics, the cores for both sides."""

    topics = ["com.example.one", "com.example.two", "com.example.three", "com.example.four"]

    def __init__(self, apnsim, programs, scratch):
        self.apnsim, self.programs, self.scratch = apnsim, programs, scratch
        self.certs = os.path.join(scratch, "certs")
        cores = sorted(os.sched_getaffinity(0))
        self.serverCore, self.clientCore = (cores[0], cores[1]) if len(cores) > 1 else (None, None)

    def prepare(self):
        self.run([self.apnsim, "certs", "init", "--certs", self.certs])
        for topic in self.topics:
            self.run([self.apnsim, "certs", "issue", topic, "--certs", self.certs])

    def run(self, command):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        if result.returncode != 0:
            raise SystemExit(f"bench: {' '.join(command)}\n{result.stderr.decode()}{result.stdout.decode()}")
        return result.stdout.decode()

    def file(self, name):
        return os.path.join(self.certs, name)

    @property
    def authority(self):
        return self.file("ca.pem")

    def startSimulator(self, *flags):
        command = [
            self.apnsim, "serve", "--ephemeral", "--print", "json", "--certs", self.certs, "--loops", "1",
            "--seed", "1", *flags,
        ]
        return Server(command, self.serverCore)

    def startLimit(self, *flags):
        command = [
            os.path.join(self.programs, "limit"), self.file("server.pem"), self.file("server.key"),
            self.authority, *flags,
        ]
        return Server(command, self.serverCore)

    def startAnswering(self):
        """The C program on libnghttp2."""
        command = [os.path.join(self.programs, "nghttp2"), self.file("server.pem"), self.file("server.key")]
        return Server(command, self.serverCore)

    def startMock(self):
        mock = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mock.py")
        files = [self.file("server.pem"), self.file("server.key"), self.authority]
        return Server(["python3", mock, *files], self.serverCore)

    def startNodeMock(self):
        """The mock on Node's http2; None where Node is missing."""
        return self._startMock("node", "mock_http2.js") if shutil.which("node") else None

    def startPythonMock(self):
        """The mock on Python's h2; None where it is missing."""
        hasLibrary = subprocess.run([self.python, "-c", "import h2"], stderr=subprocess.DEVNULL).returncode == 0
        return self._startMock(self.python, "mock_http2.py") if hasLibrary else None

    @property
    def python(self):
        """The interpreter that has the libraries of the client tests, if it was made."""
        own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".venv", "bin", "python")
        return own if os.path.exists(own) else "python3"

    def _startMock(self, interpreter, name):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        return Server([interpreter, script, self.file("server.pem"), self.file("server.key")], self.serverCore)

    def loadCommand(self, mode, port, *flags, pid=None):
        command = [os.path.join(self.programs, "load"), mode, "127.0.0.1", str(port), self.authority]
        for topic in self.topics:
            command += ["--identity", self.file(f"{topic}.pem"), self.file(f"{topic}.key")]
        if pid:
            command += ["--pid", str(pid)]
        return command + [str(flag) for flag in flags]

    def h2load(self, port, *flags):
        """Requests over HTTP/2: h2load to its end. The mean time to an answer, in microseconds."""
        return self.requests(f"https://localhost:{port}", *flags)

    def requests(self, origin, *flags):
        """Runs h2load to its end; every request must succeed. The mean time to an answer, in microseconds."""
        pin = (lambda: os.sched_setaffinity(0, {self.clientCore})) if self.clientCore is not None else None
        result = subprocess.run(
            ["h2load", f"--base-uri={origin}", *map(str, flags)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=pin, timeout=300,
        )
        if result.returncode != 0 or b" 0 failed, 0 errored" not in result.stdout:
            raise SystemExit(f"bench: h2load failed: {(result.stderr + result.stdout).decode()}")
        mean = re.search(rb"time for request:\s+\S+\s+\S+\s+([\d.]+)(us|ms|s)", result.stdout)
        return float(mean[1]) * {b"us": 1, b"ms": 1e3, b"s": 1e6}[mean[2]]

    def load(self, mode, port, *flags, pid=None):
        """Runs the load generator to its end and returns what it measured."""
        pin = (lambda: os.sched_setaffinity(0, {self.clientCore})) if self.clientCore is not None else None
        result = subprocess.run(
            self.loadCommand(mode, port, *flags, pid=pid), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=pin, timeout=300,
        )
        if result.returncode != 0:
            raise SystemExit(f"bench: load {mode} failed: {result.stderr.decode()}")
        return json.loads(result.stdout)
