"""A recording of a process that was killed, plain or compressed, is readable up to its last whole line, without a gap."""

import json
import subprocess
import threading
import time
import zlib

from provider import batch
from server import BINARY, Server

ROUNDS = 5
BATCH = batch(200)


def feed(connection, stopped):
    try:
        while not stopped.is_set():
            connection.sendall(BATCH)
    except OSError:
        pass


def examine(path):
    """Whole lines, bytes of a torn one, and what is wrong with them."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(data)
    whole, _, torn = data.rpartition(b"\n")
    last = 0
    lines = whole.split(b"\n") if whole else []
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
        except ValueError:
            return len(lines), len(torn), f"line {number} is not JSON"
        seq = event.get("seq")
        if seq is None:
            continue
        if seq <= last:
            return len(lines), len(torn), f"line {number} has seq {seq} after {last}"
        if event.get("event") == "notification" and last and seq != last + 1:
            return len(lines), len(torn), f"line {number} has seq {seq} after {last}: a gap"
        last = seq
    return len(lines), len(torn), None


def run(setup):
    counts, torn_bytes, wrong, replays = [], [], [], 0
    described = subprocess.run([BINARY, "replay", "--help"], capture_output=True, text=True, check=False).stdout
    can_replay = "--offline" in described
    for number in range(ROUNDS):
        capture = setup.directory() / ("capture.jsonl.gz" if number % 2 else "capture.jsonl")
        server = Server(setup, record=capture)
        server.__enter__()
        stopped = threading.Event()
        connections = [server.connect() for _ in range(4)]
        threads = [threading.Thread(target=feed, args=(c, stopped)) for c in connections]
        for thread in threads:
            thread.start()
        time.sleep(0.5 + 0.13 * number)
        server.kill()
        stopped.set()
        for thread in threads:
            thread.join()
        for connection in connections:
            connection.close()
        lines, torn, problem = examine(capture)
        counts.append(lines)
        torn_bytes.append(torn)
        if problem:
            wrong.append(problem)
        if can_replay:
            result = subprocess.run([BINARY, "replay", "--offline", str(capture)], capture_output=True,
                                    text=True, timeout=120, check=False)
            if result.returncode != 0:
                wrong.append(f"replay --offline says {result.returncode}: {result.stderr.strip()[-200:]}")
            replays += 1
        capture.unlink()
    figures = [
        f"{ROUNDS} kills in the middle of recording: {', '.join(f'{c:,}' for c in counts)} whole lines, "
        f"torn last lines of {', '.join(map(str, torn_bytes))} bytes",
        f"replayed offline: {replays}" if can_replay else "not replayed: this program has no replay --offline",
        *wrong,
    ]
    return figures, "every whole line is JSON, in order, without a gap", not wrong and min(counts) > 100
