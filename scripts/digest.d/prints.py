"""What the program's commands print, and what a server of it answers: each in a folder of its own, so that paths are short and
the same everywhere."""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from pushes import JWT
from served import PATIENCE, Server

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDINGS = ROOT / "fixtures/captures"
STATES = ROOT / "fixtures"


def lines_of(table):
    """The lines of a table beside this file, without empty ones and remarks."""
    return [line for line in (HERE / table).read_text().splitlines() if line and not line.startswith("#")]


def printed():
    """The lines that print something, and those of them that are left out here, for want of tshark."""
    marked = [line.partition("tshark: ") for line in lines_of("printed.txt")]
    lines = [after or before for before, _, after in marked]
    return lines, set() if shutil.which("tshark") else {after for _, _, after in marked if after}


class Folder:
    """A folder that a command runs in: fixtures as they are, the program under its usual name, and nothing else."""

    def __init__(self, program, folder):
        self.path = folder
        folder.mkdir(parents=True)
        (folder / "fixtures").symlink_to(ROOT / "fixtures")
        # Beside the fixtures, so that it finds them and no others.
        self.program = folder / "apnsim"
        try:
            os.link(program, self.program)
        except OSError:
            shutil.copy2(program, self.program)
        self.environment = {
            "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "LANG": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80",
            "JWT": JWT, "APNSIM_CONTROL_URL": "http://127.0.0.1:1"}

    def shell(self, line, **more):
        """What a line prints, on both streams, and its exit status."""
        with subprocess.Popen(
                ["sh", "-c", line], cwd=self.path, env=self.environment | more, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True) as run:
            try:
                output, errors = run.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                raise RuntimeError(f"{line} has not ended") from None
        text = f"$ {line}\n{output.decode(errors='backslashreplace')}"
        if errors:
            text += f"stderr\n{errors.decode(errors='backslashreplace')}"
        return self.usual(text + f"exit {run.returncode}\n")

    def usual(self, text):
        """The text with this folder and its fixtures named as a user would."""
        return text.replace(str(self.path), ".").replace(str(ROOT), ".")

    def read(self, name):
        path = self.path / name
        return path.read_text() if path.exists() else ""


def commands(tree, words=()):
    """The words of each command, from the program's own description."""
    yield words
    for command in tree.get("subcommands", []):
        if command["commandName"] != "help":
            yield from commands(command, (*words, command["commandName"]))


class NoProgram(Exception):
    """Why nothing can be asked of a program."""


def helps(folder):
    """The words that ask for the help of each command."""
    try:
        dump = subprocess.run([folder.program, "--experimental-dump-help"], capture_output=True, check=True, timeout=PATIENCE)
        tree = json.loads(dump.stdout)["command"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise NoProgram(f"the program does not describe its commands, as apnsim does: {error}") from None
    for words in commands(tree):
        yield " ".join(["help", *words])


def manual(folder):
    """The manual pages by their names. A program of Swift's argument parser makes them, which is built at first."""
    subprocess.run(
        [ROOT / "scripts/manual", "--program", folder.program, "--to", folder.path / "man"], check=True, capture_output=True,
        env=os.environ | {"SOURCE_DATE_EPOCH": "0"})
    return {f"man {page.stem}": page.read_text() for page in (folder.path / "man").glob("*.1")}


def replay(folder, recording):
    """What a replay says, and the journal that it comes to, where it is not the recording's."""
    text = folder.shell(f"apnsim replay --offline --journal again.jsonl fixtures/{recording.relative_to(STATES)}")
    recorded = gzip.open(recording, "rt").read() if recording.suffix == ".gz" else recording.read_text()
    again = folder.read("again.jsonl")
    return text + ("the journal is the recording\n" if again == recorded else again)


def recordings():
    yield RECORDINGS / "clients.jsonl.gz"
    for folder in "recorded/runs", "recorded/scenarios", "otherwise":
        yield from sorted((RECORDINGS / folder).glob("*.jsonl*"))
    yield from sorted(STATES.glob("state-*/journal.jsonl"))


def scenario(folder, file):
    """A scenario that is run: the report in both forms, and the journal."""
    file = f"fixtures/{file.relative_to(STATES)}"
    texts = [
        folder.shell(f"apnsim scenario run {file} --journal journal.jsonl"),
        folder.shell(f"apnsim scenario run {file} --json --seed 2")]
    return "".join(texts) + folder.read("journal.jsonl")


def state(folder, kept, is_from_log):
    """The journal that a kept state comes to when a server starts with it, and the state when it has ended."""
    shutil.copytree(kept / "state", folder.path / "state")
    (folder.path / "certs").mkdir()
    shutil.copy(kept / "token.key", folder.path / "certs")
    if is_from_log:
        snapshots = sorted((folder.path / "state").glob("snapshot-*"), key=lambda path: int(path.name.split("-")[1]))
        snapshots[-1].unlink()
    with Server(folder.program, folder.path, "--state", folder.path / "state", "--record", folder.path / "again.jsonl") as server:
        status = server.call("GET", "/devices")[1] + server.call("GET", "/clock")[1]
    return without_ports(folder.read("again.jsonl")) + status + "\n"


def mistakes(folder, file):
    """What the reader says of each text of a file of fixtures/mistakes."""
    table = json.loads(file.read_text())
    texts = [("good", text) for text in table["good"]]
    texts += [("bad", one["text"]) for one in table["mistakes"]]
    names = []
    for number, (kind, text) in enumerate(texts, 1):
        names.append(f"{kind}-{number}.yaml")
        (folder.path / names[-1]).write_text(table["before"] + text + table["after"])
    return folder.shell(f"apnsim scenario check {' '.join(names)}")


def asked(folder):
    """What a server is asked in turn, by the lines."""
    (folder.path / "certs").mkdir()
    # The key that makes device tokens; the others are made by the start, and nothing shows them.
    shutil.copy(ROOT / "fixtures/state-1/token.key", folder.path / "certs")
    texts = {}
    with Server(folder.program, folder.path, "--provider-tokens", "any", "--endpoints-file", folder.path / "ends") as server:
        environment = {"APNSIM_ENDPOINTS_FILE": "ends", "APNSIM_CONTROL_URL": server.ends["control"], "APNSIM_CERTS": "certs"}
        for line in lines_of("asked.txt"):
            method, _, rest = line.partition(" ")
            if method.isupper():
                path, _, body = rest.partition(" ")
                status, answer = server.call(method, path, body or None)
                text = f"{line}\n{status}\n{answer}\n"
            else:
                text = folder.shell(line, **environment)
            texts[f"asked {line}"] = folder.usual(timeless(text, server))
    return texts


def timeless(text, server):
    """The text without ports, process and how long something took. A request that a command sends has the port in its raw form."""
    for name, port in server.ends.items():
        if name in ("gateway", "feedback", "http2", "device"):
            text = re.sub(rf"\b{port}\b", name.upper(), text)
    text = re.sub(r'(\bpid"?:? *)\d+', r"\1PID", text.replace(server.address, "CONTROL"))
    text = re.sub(r'"raw":"[^"]*"', '"raw":"RAW"', text)
    for took in r"(after )\d+( ms)", r"(within )[\d.]+(s)", r'("waited":")[\d.]+(s")':
        text = re.sub(took, r"\1N\2", text)
    return without_ports(text)


def without_ports(text):
    """The text without the ports of providers, which the system chooses."""
    return re.sub(r'("peer":"[^"]*:|127\.0\.0\.1:)\d+', r"\1PORT", text)
