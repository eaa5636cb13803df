"""Plays the terminals of a document: what a reader types is run, and what the document says comes back is compared."""

import difflib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from simulator import PATIENCE, wait_until

# The ports that documents name, by their names in the endpoints file: a simulator under test has free ones instead.
PORTS = {"gateway": 2195, "feedback": 2196, "http2": 2197, "device": 5223, "control": 2199}

# Texts that differ from run to run, in a document and in the output.
CHANGING = [
    (re.compile(pattern), replacement) for pattern, replacement in [
        (r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b", "<uuid>"),
        (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "<time>"),
        (r"\b\d\d:\d\d:\d\d\.\d{3}\b", "<time>"),
        (r"\b(?!41504e53|(..)\1{31}\b)[0-9a-f]{64}\b", "<token>"),
        (r"\b\d+(\.\d+)? ms\b", "<duration>"),
        (r"\bin \d+\.\d+s\b", "in <duration>"),
        (r"(?<=seed )( *)\d+", r"\1<seed>"),
        (r"127\.0\.0\.1:(?!2195|2196|2197|2199|5223)\d+", "127.0.0.1:<port>"),
        (r"(?<=timestamp\":)\d+", "<milliseconds>"),
        (r"\beyJ[\w.-]+", "<provider token>"),
        (r" {2,}", "  "),  # columns are as wide as what stands in them
    ]]

# The signs by which a document shows only a part: a line of dots for lines, an ellipsis inside a line.
LINES, REST = "...", "…"


def steps(content):
    """The commands of a terminal, each with the lines that come back, and the number of its line in the block."""
    found, typing = [], False
    for number, line in enumerate(content.rstrip("\n").split("\n")):
        if line.startswith("$ "):
            found.append([line[2:], [], number])
        elif typing:
            found[-1][0] += "\n" + line
        elif found:
            found[-1][1].append(line)
        typing = (line.startswith("$ ") or typing) and line.endswith("\\")
    return [(command, trimmed(output), number) for command, output, number in found]


def trimmed(lines):
    """Lines without the empty ones at either end, and without white space at theirs."""
    return "\n".join(line.rstrip() for line in lines).strip("\n").split("\n") if any(map(str.strip, lines)) else []


def steady(text):
    """Text in which everything that differs from run to run has a name instead."""
    for pattern, replacement in CHANGING:
        text = pattern.sub(replacement, text)
    return text


def difference(said, came):
    """None where what came back is what the document says; else how they differ."""
    said, came = [steady(line) for line in said], [steady(line) for line in came]
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() in (LINES, REST) else ".*".join(map(re.escape, line.split(REST))) + "\n"
        for line in said)
    if re.fullmatch(pattern, "".join(line + "\n" for line in came)):
        return None
    return "\n".join(difflib.unified_diff(said, came, "the document", "the program", lineterm="", n=20))


class Terminal:
    """A shell in a directory of its own, with the built program on its PATH and at most one simulator running."""

    def __init__(self, program, certificates, directory):
        """`certificates` are what a first start would make, which takes seconds; None to have them made."""
        self.directory, self.certificates, self.simulator, self.ports = Path(directory), certificates, None, {}
        bin = Path(tempfile.mkdtemp(dir=directory.parent))
        (bin / "apnsim").symlink_to(program)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("APNSIM_")}
        environment |= {
            "PATH": f"{bin}:{Path(sys.executable).parent}:{os.environ['PATH']}", "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": "-p no:cacheprovider", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        self.environment = environment
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"], cwd=directory, env=environment, text=True, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # A terminal shows no progress of curl's; a pipe would.
        self.type('curl() { command curl -sS "$@"; }')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end_simulator()
        self.shell.stdin.close()
        try:
            self.shell.wait(PATIENCE)
        finally:
            if self.shell.poll() is None:
                os.killpg(self.shell.pid, signal.SIGKILL)
            self.shell.stdout.close()

    def run(self, command):
        """What a command of a document prints, with the document's ports, and its exit code."""
        served = re.fullmatch(r"(?:make run|apnsim(?: serve)?)((?: +(?!#).*)?)( +#.*)?", command, re.DOTALL)
        if served and not re.match(r" +[a-z]", served.group(1)):
            return self.serve(served.group(1)), 0
        if re.search(r"\bapnsim (exec|inspect|replay|scenario run)\b", command):
            # These have a simulator of their own, or none.
            own = f"export APNSIM_CERTS={self.certificates}\n" if self.certificates else ""
            command = f"( unset ${{!APNSIM_@}}\n{own}{command}\n)"
        for name, port in self.ports.items():
            command = re.sub(rf"(?<=:){PORTS[name]}\b", str(port), command)
        output, code = self.type(command)
        for name, port in self.ports.items():
            output = re.sub(rf"\b{port}\b", str(PORTS[name]), output)
        return output.replace(str(self.directory.resolve()) + "/", ""), code

    def type(self, command):
        """What one command prints, and its exit code."""
        mark = "apnsim-documentation-done"
        self.shell.stdin.write(f"{command}\ncode=$?; echo; echo {mark} $code\n")
        self.shell.stdin.flush()
        lines, alarm = [], threading.Timer(PATIENCE, os.killpg, [self.shell.pid, signal.SIGKILL])
        alarm.start()
        try:
            while not (line := self.shell.stdout.readline()).startswith(mark):
                assert line, f"the shell ended, or {PATIENCE} s went by, at: {command}"
                lines.append(line)
        finally:
            alarm.cancel()
        return "".join(lines), int(line.split()[1])

    def serve(self, flags):
        """Starts a simulator on free ports, ending one that runs, and tells the shell where it is."""
        self.end_simulator()
        if self.certificates and not (self.directory / "certs").exists():
            shutil.copytree(self.certificates, self.directory / "certs")
        endpoints = Path(tempfile.mkdtemp(dir=self.directory.parent)) / "endpoints.json"
        banner = endpoints.with_name("banner")
        with open(banner, "wb") as out, open(endpoints.with_name("log"), "wb") as log:
            self.simulator = subprocess.Popen(
                ["bash", "-c", f'exec apnsim serve --ephemeral --endpoints-file "{endpoints}" {flags}'],
                cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=log)

        def is_ready():
            said = endpoints.with_name("log").read_text()
            assert self.simulator.poll() is None, f"apnsim serve ended with {self.simulator.returncode}:\n{said}"
            return endpoints.exists() and banner.read_text().count("\n") > 3

        wait_until(is_ready, "the endpoints file and the banner")
        found = json.loads(endpoints.read_text())
        self.ports = {name: int(str(found[name]).rsplit(":", 1)[-1]) for name in PORTS}
        self.type(f"export APNSIM_ENDPOINTS_FILE={endpoints} " + " ".join(
            f"APNSIM_{name.upper()}_PORT={port}" for name, port in self.ports.items()))
        text = banner.read_text().replace(f" --endpoints-file {endpoints}", "")
        for name, port in self.ports.items():
            text = re.sub(rf"\b{port}\b", str(PORTS[name]), text)
        return text

    def end_simulator(self):
        if self.simulator is None:
            return
        self.simulator.send_signal(signal.SIGINT)
        try:
            code = self.simulator.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.simulator.kill()
            raise
        self.simulator, self.ports = None, {}
        assert code in (0, 130), f"apnsim serve ended with {code}"


def play(terminal, blocks):
    """Runs the blocks of a document in order; each is (line, language, name, content). Yields what is wrong."""
    for line, language, name, content in blocks:
        if language == "console":
            for command, said, number in steps(content):
                output, code = terminal.run(command)
                came = trimmed(output.split("\n"))
                if said and (differs := difference(said, came)):
                    yield f"line {line + 1 + number}: $ {command}\n{differs}"
                elif not said and code != 0:
                    yield f"line {line + 1 + number}: $ {command}\nexit code {code}\n" + "\n".join(came)
        elif name:
            (terminal.directory / name).write_text(content)
