"""Captures of real clients: TLS with its key log through tshark, and what Wireshark makes of an export."""

import contextlib
import gzip
import json
import os
import signal
import socket
import subprocess
from base64 import b64decode

import pytest

from conftest import has_wrap_socket
from frames import enhanced, error_response, feedback_tuples
from simulator import BINARY, PATIENCE, ROOT, apnsim, read_to_end, scenario, token, wait_until

FIXTURES = ROOT / "fixtures/captures"
DISSECTOR = ROOT / "fixtures/wireshark/apns.lua"
BAD_TOKEN = "ab" * 31
LAST_WORDS = b"nothing that is captured comes after this"
FEEDBACK = [("com.example.app", token(day), f"2012-06-0{day}T00:00:00Z") for day in (1, 2)]


def can_capture():
    """Whether this user may capture on the loopback."""
    found = subprocess.run(["dumpcap", "-D"], capture_output=True, text=True, timeout=PATIENCE)
    return found.returncode == 0 and "lo" in found.stdout


@contextlib.contextmanager
def capturing(file, *ports):
    """Captures what is said to and from the ports on the loopback."""
    if not can_capture():
        pytest.skip("this user may not capture on the loopback (root or the group wireshark may)")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
        last.bind(("127.0.0.1", 0))
        expression = " or ".join([*(f"tcp port {port}" for port in ports), f"udp port {last.getsockname()[1]}"])
        process = subprocess.Popen(
            ["dumpcap", "-q", "-i", "lo", "-f", expression, "-w", str(file)], stderr=subprocess.PIPE, text=True)
        try:
            while "File:" not in (line := process.stderr.readline()):
                assert line, "dumpcap ended before it began"
            yield
            # dumpcap writes a little late. What comes last is a packet of ours.
            last.sendto(LAST_WORDS, last.getsockname())
            wait_until(lambda: LAST_WORDS in file.read_bytes(), "the last packet in the capture")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)


def entries(file):
    with (gzip.open if str(file).endswith(".gz") else open)(file, "rt") as lines:
        return [json.loads(line) for line in lines][1:]


def streams(file):
    """Per connection, in order: listener, the provider's bytes, what came back, who closed."""
    found = {}
    for entry in entries(file):
        connection = entry.get("connection")
        match entry["event"]:
            case "connectionOpened":
                found[connection] = {
                    "listener": entry["listener"], "topic": entry["provider"]["topic"], "in": b"", "out": b""}
            case "notification":
                found[connection]["in"] += b64decode(entry["raw"])
            case "bytesIn":
                found[connection]["in"] += b64decode(entry["bytes"])
            case "bytesOut" | "errorSent" | "feedbackRead":
                found[connection]["out"] += b64decode(entry.get("bytes", ""))
            case "connectionClosed":
                found[connection]["closed"] = entry["reason"]
    return list(found.values())


def tshark(file, *arguments, fields):
    """The fields of each packet that has one of the protocol's, as lists of values."""
    command = [
        "tshark", "-n", "-r", str(file), "-X", f"lua_script:{DISSECTOR}", "-Y", "apns || apnsfeedback",
        "-T", "fields", "-E", "separator=/t", "-E", "aggregator=,", *arguments]
    for field in fields:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert "Lua" not in done.stderr, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [[cell.split(",") if cell else [] for cell in row] for row in rows]


@pytest.mark.skipif(not has_wrap_socket, reason="pushjack needs ssl.wrap_socket")
@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_a_tls_capture_of_a_real_client_is_decrypted(start, tmp_path, monkeypatch, version):
    import pushjack

    keys, packets, native = tmp_path / "keys.txt", tmp_path / "packets.pcapng", tmp_path / "native.jsonl"
    monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
    simulator = start("--tls-max", version, scenario=scenario(feedback=FEEDBACK))
    monkeypatch.delenv("SSLKEYLOGFILE")

    class Client(pushjack.APNSClient):
        host = feedback_host = simulator.host
        port, feedback_port = simulator.gateway, simulator.feedback

    with capturing(packets, simulator.gateway, simulator.feedback):
        client = Client(simulator.provider.combined, default_error_timeout=0.1)
        tokens = [token(number) for number in range(1, 40)]
        assert client.send(tokens, "Hello " * 100).errors == []
        simulator.wait_for_accepted(len(tokens))
        client.close()
        with simulator.connect(simulator.gateway) as connection:
            connection.sendall(enhanced(1, token(1)) + enhanced(2, BAD_TOKEN))
            assert read_to_end(connection) == error_response(5, 2)
        with simulator.connect(simulator.feedback) as connection:
            assert len(feedback_tuples(read_to_end(connection))) == 2
        simulator.stop()

    said = apnsim(
        "import", packets, "-o", native, "--keylog", keys, "--port", simulator.gateway,
        "--feedback-port", simulator.feedback, "--json")
    summary = json.loads(said.stdout)
    assert summary["decryptedConnections"] == 3 and summary["gaps"] == 0 and not summary["topicAssumed"]
    assert summary["frames"] == 41
    sent, bad, feedback = streams(native)
    recorded = b"".join(b64decode(notification["raw"]) for notification in simulator.accepted())
    assert sent["in"] + enhanced(1, token(1)) == recorded
    assert bad["in"] == enhanced(1, token(1)) + enhanced(2, BAD_TOKEN)
    assert bad["out"] == error_response(5, 2) and bad["closed"] == "simulatorClosed"
    assert [entry[0] for entry in feedback_tuples(feedback["out"])] == [token(1), token(2)]
    assert {stream["topic"] for stream in (sent, bad, feedback)} == {"com.example.app"}


def test_without_the_keys_it_says_what_is_needed(tmp_path):
    native = tmp_path / "native.jsonl"
    refused = apnsim("import", FIXTURES / "clients-tls.pcap", "-o", native, check=False)
    assert refused.returncode == 2 and "--keylog" in refused.stderr and not native.exists()
    wrong = tmp_path / "keys"
    wrong.write_text("")
    refused = apnsim("import", FIXTURES / "clients-tls.pcap", "-o", native, "--keylog", wrong, check=False)
    assert refused.returncode == 2 and "no secrets" in refused.stderr and not native.exists()


def test_without_tshark_it_says_how_to_get_it(tmp_path):
    refused = subprocess.run(
        [BINARY, "import", FIXTURES / "clients-tls.pcap", "-o", tmp_path / "native.jsonl", "--keylog",
         FIXTURES / "clients-tls.keys"],
        env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True, timeout=PATIENCE)
    assert refused.returncode == 69
    assert "apt-get install tshark" in refused.stderr and "not installed" in refused.stderr


def expected():
    return json.loads((FIXTURES / "expected.json").read_text())["connections"]


def test_the_shipped_tls_capture_tells_what_the_clients_sent(tmp_path):
    native = tmp_path / "native.jsonl.gz"
    apnsim("import", FIXTURES / "clients-tls.pcap", "--keylog", FIXTURES / "clients-tls.keys", "-o", native)
    found, plain = streams(native), tmp_path / "plain.jsonl"
    apnsim("import", FIXTURES / "clients-plain.pcapng", "-o", plain)
    assert [(s["listener"], s["out"].hex()) for s in found] == [(e["listener"], e["answer"]) for e in expected()]
    for stream, connection in zip(found, expected()):
        assert all(bytes.fromhex(device) in stream["in"] for device in connection["tokens"])
    native = tmp_path / "recorded.jsonl"
    apnsim("import", FIXTURES / "clients.jsonl.gz", "-o", native)
    assert [stream["closed"] for stream in found] == [stream["closed"] for stream in streams(native)]
    # The same story through a TLS terminator: the frames differ in their expiry dates only.
    assert [len(stream["in"]) for stream in found] == [len(stream["in"]) for stream in streams(plain)]


def test_the_keys_may_be_in_the_capture(tmp_path):
    packets, native = tmp_path / "packets.pcapng", tmp_path / "native.jsonl"
    subprocess.run(
        ["editcap", "--inject-secrets", f"tls,{FIXTURES / 'clients-tls.keys'}", FIXTURES / "clients-tls.pcap",
         packets], check=True, timeout=PATIENCE)
    apnsim("import", packets, "-o", native)
    assert [stream["out"].hex() for stream in streams(native)] == [e["answer"] for e in expected()]


def test_a_packet_missing_from_tls_is_a_gap_of_unknown_size(tmp_path):
    """Bytes encrypted after a gap cannot be read; those before it can."""
    packets, native, fifth = tmp_path / "packets.pcap", tmp_path / "native.jsonl", 4
    listed = subprocess.run(
        ["tshark", "-r", FIXTURES / "clients-tls.pcap", "-Y", f"tcp.stream == {fifth} && tls.app_data", "-T",
         "fields", "-e", "frame.number"], capture_output=True, text=True, check=True, timeout=PATIENCE)
    second = listed.stdout.split()[1]
    subprocess.run(["editcap", FIXTURES / "clients-tls.pcap", packets, second], check=True, timeout=PATIENCE)
    said = apnsim("import", packets, "--keylog", FIXTURES / "clients-tls.keys", "-o", native, "--json")
    summary = json.loads(said.stdout)
    assert summary["gaps"] == 1 and summary["connectionsWithGaps"] == 1 and summary["missingBytes"] == 0
    [gap] = [entry for entry in entries(native) if entry["event"] == "bytesMissing"]
    assert (gap["connection"], gap["direction"], gap["count"]) == ("c5", "in", 0)
    tokens = [bytes.fromhex(device) for device in expected()[fifth]["tokens"]]
    found = streams(native)[fifth]["in"]
    assert tokens[0] in found and tokens[1] not in found


def test_wireshark_reads_an_export_frame_by_frame(tmp_path):
    packets = tmp_path / "clients.pcapng"
    apnsim("export", FIXTURES / "clients.jsonl.gz", "-o", packets)
    rows = tshark(packets, fields=[
        "apns.command", "apns.token", "apns.status", "apns.identifier", "apns.feedback.token",
        "_ws.expert.message"])
    commands = [command for row in rows for command in row[0]]
    gateway = [connection for connection in expected() if connection["listener"] == "gateway"]
    assert commands.count("8") == 2
    assert [command for command in commands if command != "8"] == [
        str(connection["command"]) for connection in gateway for _ in connection["tokens"]]
    assert [device for row in rows for device in row[1]] == [
        device for connection in gateway for device in connection["tokens"]]
    errors = [(row[2][0], row[3][0], ",".join(row[5])) for row in rows if row[2]]
    assert [(status, identifier) for status, identifier, _ in errors] == [("8", "0x00000002"), ("5", "0x00000001")]
    assert "Status 8 (Invalid token) for notification 00000002" in errors[0][2]
    assert [device for row in rows for device in row[4]] == [token(1), token(2)]
    odd = [row for row in rows if row[5] and "The device token has 31 bytes" in ",".join(row[5])]
    assert len(odd) == 1


def test_an_export_has_nothing_that_wireshark_would_complain_of(tmp_path):
    packets = tmp_path / "clients.pcapng"
    apnsim("export", FIXTURES / "clients.jsonl.gz", "-o", packets)
    done = subprocess.run(
        ["tshark", "-n", "-r", str(packets), "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-Y",
         "tcp.checksum.status == 0 || ip.checksum.status == 0 || tcp.analysis.flags || _ws.malformed"],
        capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == ""


def test_what_was_exported_is_imported_with_the_same_bytes(tmp_path):
    packets, native, again = tmp_path / "clients.pcapng", tmp_path / "native.jsonl", tmp_path / "again.jsonl"
    apnsim("import", FIXTURES / "clients.jsonl.gz", "-o", native)
    apnsim("export", native, "-o", packets)
    apnsim("import", packets, "-o", again)
    assert streams(again) == streams(native) and len(streams(native)) == len(expected())
