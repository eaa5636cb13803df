"""A disk that fills up while recording is reported once; the simulator continues and says how much was lost."""

import json
import os
import re
import resource
import subprocess
from pathlib import Path

from provider import bad, batch, refusal
from server import Server, wait_until

SPACE = 2 << 20
ROUNDS = 20
BATCH = batch(1000)


def serve(setup, path, limits=()):
    """The log's lines about the recording, whether providers were answered to the end, the exit status."""
    with Server(setup, record=path, limits=limits) as server:
        answered = 0
        for number in range(ROUNDS):
            with server.connect() as connection:
                connection.sendall(BATCH + bad(number))
                answered += connection.recv(64)[:6] == refusal(number)
        wait_until(lambda: "without recording" in server.log, "the report of the full disk", 15)
        status, _ = server.stop()
        said = [line for line in server.log.splitlines() if "cannot write" in line]
    lost = re.search(r"(\d+) lines of the journal were lost", server.log)
    once = sum("without recording" in line for line in said) == 1
    return answered, once, int(lost.group(1)) if lost else 0, status


def lines_of(path):
    """Whole lines of a capture; raises for one that is not JSON or a torn end."""
    text = Path(path).read_bytes()
    assert text.endswith(b"\n") or not text, "the capture ends within a line"
    lines = text.splitlines()
    for line in lines:
        json.loads(line)
    return len(lines)


def run(setup):
    figures, held = [], True

    def note(name, result, kept):
        nonlocal held
        answered, once, lost, status = result
        figures.append(f"{name}: {answered} of {ROUNDS} answered, said {'once' if once else 'NOT once'}, "
                       f"{lost:,} lines lost, {kept:,} kept, exit {status}")
        held = held and answered == ROUNDS and once and lost > 0 and status == 0

    folder = setup.directory()
    limited = folder / "limited.jsonl"
    result = serve(setup, limited, [(resource.RLIMIT_FSIZE, SPACE)])
    note("limit on the file's size", result, lines_of(limited))
    note("/dev/full", serve(setup, "/dev/full"), 0)

    disk = folder / "disk"
    disk.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SPACE}", "tmpfs", str(disk)], capture_output=True,
        check=False).returncode == 0
    if mounted:
        try:
            capture = disk / "capture.jsonl"
            result = serve(setup, capture)
            note("a full file system", result, lines_of(capture))
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=False)
    else:
        figures.append("a full file system: not tried, mounting needs root")
    return figures, "one line when it fills, whole lines in the file, the loss counted, exit 0", held
