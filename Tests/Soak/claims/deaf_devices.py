"""Devices that do not read are taken for gone once a megabyte waits for each; nobody else notices."""

import json
import socket
import ssl
import subprocess
import time

from provider import Swarm, bad, enhanced, refusal
from server import BINARY, TOPIC, Server, wait_until

DEVICES = 10
PAYLOAD = b'{"aps":{"alert":"' + b"x" * 200 + b'","badge":1}}'
ROUNDS = 40
PER_ROUND = 200
MOST = 6 << 20


def connect(setup, server, number):
    """A device in its first state: its certificate, its line, its token. It reads no more after that."""
    prefix = setup.root / f"device{number}"
    if not prefix.with_suffix(".pem").exists():
        subprocess.run([BINARY, "certs", "issue", "--device", f"deaf{number}", "--certs", setup.certificates,
                        "-o", prefix], check=True, capture_output=True)
    context = ssl.create_default_context(cafile=server.endpoints["ca"])
    context.load_cert_chain(f"{prefix}.pem", f"{prefix}.key")
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    plain.connect((server.host, server.endpoints["device"]))
    device = context.wrap_socket(plain, server_hostname=server.host)
    device.sendall(json.dumps({"apps": [TOPIC]}).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):
        line += device.recv(4096)
    return device, bytes.fromhex(json.loads(line)["tokens"][0]["token"])


def run(setup):
    capture = setup.directory() / "capture.jsonl"
    with Server(setup, "--keep", 1000, record=capture) as server:
        devices = [connect(setup, server, number) for number in range(DEVICES)]
        base, most, worst = server.figures, 0, 0.0
        with server.connect() as sender:
            identifier = 0
            for _ in range(ROUNDS):
                for _, device_token in devices:
                    frames = [enhanced(identifier + n, device_token, PAYLOAD) for n in range(PER_ROUND)]
                    identifier += PER_ROUND
                    sender.sendall(b"".join(frames))
                most = max(most, server.figures.resident)
                start = time.monotonic()
                with server.connect() as other:
                    other.sendall(bad(9))
                    assert other.recv(64)[:6] == refusal(9)
                worst = max(worst, time.monotonic() - start)
            sender.sendall(bad(1))
            assert sender.recv(64)[:6] == refusal(1)
        time.sleep(3)
        final = server.figures
        for device, _ in devices:
            device.close()
        status, _ = server.stop()
    events = [json.loads(line) for line in capture.read_text().splitlines()]
    gone = [e for e in events if e.get("event") == "connectionClosed" and "device" in e]
    outcomes = {}
    for event in events:
        if event.get("event") == "notification":
            outcomes[event["outcome"]] = outcomes.get(event["outcome"], 0) + 1
    each = (most - base.resident) / DEVICES
    figures = [
        f"{DEVICES} connected devices, {identifier:,} notifications of {len(PAYLOAD)} bytes for them: "
        + ", ".join(f"{count:,} {name}" for name, count in sorted(outcomes.items())),
        f"resident {base.resident >> 20} MiB before, {most >> 20} at most, {final.resident >> 20} afterwards: "
        f"{each / 1024:,.0f} KiB for each device",
        f"{len(gone)} device connections ended; another provider waited {worst * 1000:.0f} ms at worst",
    ]
    held = each < MOST and outcomes.get("stored", 0) + outcomes.get("replaced", 0) > 0 and status == 0 and worst < 2
    return figures, f"{MOST >> 20} MiB for each device, then its notifications are stored", held
