"""Captures of today's providers over HTTP/2: recorded, sniffed with a key log, archived, replayed, compared, exported."""

import datetime
import json
import subprocess
from base64 import b64decode, b64encode

import jsonschema
import pytest

from http2_peers import Aioapns, Curl, Httpx, Node, Push, jwt
from simulator import PATIENCE, TOPIC, apnsim, token
from test_captures import DISSECTOR, capturing, entries
from test_journal_schema import SCHEMA

APNS_ID = "11111111-2222-3333-4444-555555555555"


def requests(provider_token):
    """Pushes of each kind: good, with a chosen identifier, without a topic, to a token that is none, unregistered."""
    gone = "41504e53494dfb" + "00" * 25
    return [
        Push(provider_token),
        Push(provider_token, 2, apns_id=APNS_ID, apns_priority="5", apns_push_type="alert"),
        Push(provider_token, 3, apns_topic=None),
        Push(provider_token, path="/3/device/abc"),
        Push(provider_token, path=f"/3/device/{gone}"),
        Push(provider_token, 6, body='{"aps":{"alert":"' + "x" * 4000 + '"}}'),
    ]


def pushes(file):
    """What each request of a capture was, and what it was answered: of a recording and of an import alike."""
    said, answers = [], {}
    for entry in entries(file):
        if entry["event"] == "answered" and "status" in entry:
            answers[entry["connection"], entry["stream"]] = entry
        if entry["event"] not in ("request", "notification"):
            continue
        answer = entry if entry["event"] == "notification" else None
        said.append((entry["connection"], entry["stream"], b64decode(entry["raw"]), answer))
    found = []
    for connection, stream, raw, answer in said:
        answer = answer or answers.get((connection, stream), {})
        token_count = int.from_bytes(raw[2:4], "big")
        body = raw[36 + token_count:36 + token_count + int.from_bytes(raw[12:14], "big")]
        fields = {}
        # The time that one in several reads took comes after its header list.
        end = len(raw) - (4 if raw[0] == 2 else 0)
        place = end - int.from_bytes(raw[16:20], "big")
        while place < end:
            name, value = int.from_bytes(raw[place:place + 2], "big"), int.from_bytes(raw[place + 2:place + 4], "big")
            fields[raw[place + 4:place + 4 + name].decode()] = raw[place + 4 + name:place + 4 + name + value].decode()
            place += 4 + name + value
        found.append({
            "stream": stream, "path": fields[":path"], "headers": fields, "body": body.decode(),
            "status": answer.get("status"), "reason": answer.get("reason"), "id": answer.get("apnsId")})
    return found


def replay(file, simulator, *flags):
    """A capture, replayed over the network; each answer may take as long as it likes."""
    return apnsim(
        "replay", file, "--to", f"{simulator.host}:{simulator.http2}", "--certs", simulator.certs, "--timeout", f"{PATIENCE}s",
        *flags, check=False)


@pytest.mark.parametrize("client", [Httpx, Curl, Aioapns, Node])
def test_a_sniffed_connection_of_a_real_client_is_decrypted_to_what_the_simulator_recorded(
        start, tmp_path, monkeypatch, client):
    keys, packets, native = tmp_path / "keys.txt", tmp_path / "packets.pcapng", tmp_path / "native.jsonl"
    monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
    simulator = start()
    monkeypatch.delenv("SSLKEYLOGFILE")
    peer, secret = client(simulator), jwt(simulator)
    with capturing(packets, simulator.http2):
        answers = peer.push([one for one in requests(secret) if peer.can(one)])
        simulator.stop()
    said = json.loads(apnsim(
        "import", packets, "-o", native, "--keylog", keys, "--http2-port", simulator.http2, "--json").stdout)
    assert said["http2Connections"] == said["decryptedConnections"] and said["gaps"] == 0
    assert said["requests"] == said["answers"] == len(answers)
    assert said["requestsWithoutAnswer"] == said["answersWithoutRequest"] == said["unfinishedRequests"] == 0
    assert sorted(pushes(native), key=str) == sorted(pushes(simulator.journal_file), key=str)
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    for line in native.read_text().splitlines() + simulator.journal_file.read_text().splitlines():
        validator.validate(json.loads(line))
    assert secret.encode() not in native.read_bytes() and secret.encode() not in simulator.journal_file.read_bytes()
    # Without a network the simulator answers the import as it answered the client, and in the provider's terms both are one.
    replayed = apnsim("replay", native, "--offline", check=False)
    assert replayed.returncode == 0 and "the same answers" in replayed.stdout, replayed
    compared = apnsim("diff", simulator.journal_file, native, check=False)
    assert compared.returncode == 0 and f"{len(answers)} notifications in both" in compared.stdout, compared
    # Nor can it be told from the recording by another simulator.
    again = start()
    for file in (native, simulator.journal_file):
        done = replay(file, again, "--speed", "10x")
        assert done.returncode == 0 and "every answer is as recorded" in done.stdout, (done.stdout, done.stderr)


def test_a_connection_with_a_certificate_is_replayed_with_one(start):
    simulator = start()
    answers = Httpx(simulator, identity=True).push([Push(None), Push(None, apns_topic="com.example.other")])
    assert [status for status, _ in answers] == [200, 400]
    simulator.stop()
    again = start()
    done = replay(simulator.journal_file, again, "--speed", "max")
    assert done.returncode == 0 and "every answer is as recorded" in done.stdout, (done.stdout, done.stderr)
    again.stop()
    assert [entry["auth"] for entry in again.events("notification")] == [{"kind": "certificate"}] * 2


def test_a_connection_joined_in_the_middle_is_said_and_not_guessed(start, tmp_path, monkeypatch):
    httpx = pytest.importorskip("httpx")
    from http2_peers import context

    packets, native = tmp_path / "packets.pcapng", tmp_path / "native.jsonl"
    keys = tmp_path / "keys.txt"
    monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
    simulator = start()
    monkeypatch.delenv("SSLKEYLOGFILE")
    one = Push(jwt(simulator))
    url = f"https://localhost:{simulator.http2}{one.path}"
    with httpx.Client(http1=False, http2=True, verify=context(simulator)) as client:
        assert client.post(url, content=one.body, headers=one.named).status_code == 200
        with capturing(packets, simulator.http2):
            assert client.post(url, content=one.body, headers=one.named).status_code == 200
    refused = apnsim(
        "import", packets, "-o", native, "--keylog", keys, "--http2-port", simulator.http2, check=False)
    assert refused.returncode == 2 and "handshake" in refused.stderr and not native.exists()


def test_a_packet_missing_from_plaintext_ends_what_can_be_read_of_its_side(start, tmp_path):
    """Behind a TLS terminator: an export is one, with a packet taken out of it."""
    simulator = start()
    Httpx(simulator).push(requests(jwt(simulator)))
    simulator.stop()
    whole, cut, native = tmp_path / "whole.pcapng", tmp_path / "cut.pcap", tmp_path / "native.jsonl"
    apnsim("export", simulator.journal_file, "-o", whole)
    listed = subprocess.run(
        ["tshark", "-X", f"lua_script:{DISSECTOR}", "-r", whole, "-Y", "http2.headers.path && tcp.dstport == 2197", "-T", "fields", "-e",
         "frame.number"], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.split()
    assert len(listed) >= 6
    subprocess.run(["editcap", whole, cut, listed[2]], check=True, timeout=PATIENCE)
    done = apnsim("import", cut, "-o", native, "--json")
    said = json.loads(done.stdout)
    assert said["requests"] == 2 and said["answers"] == 6 and said["answersWithoutRequest"] == 4
    assert any("no further requests are read" in note for note in said["notes"])
    # Without its beginning, nothing of the connection is guessed at.
    first = subprocess.run(["capinfos", "-c", "-M", whole], capture_output=True, text=True, check=True).stdout
    count = int(first.split()[-1])
    subprocess.run(["editcap", "-r", whole, cut, f"10-{count}"], check=True, timeout=PATIENCE)
    said = json.loads(apnsim("import", cut, "-o", native, "--json").stdout)
    assert said["requests"] == said["answers"] == 0
    assert any("header compression is not known" in note for note in said["notes"])


def test_wireshark_reads_an_export_as_http2(start, tmp_path):
    simulator = start()
    sent = requests(jwt(simulator))
    Httpx(simulator).push(sent)
    simulator.stop()
    packets, again = tmp_path / "export.pcapng", tmp_path / "again.jsonl"
    apnsim("export", simulator.journal_file, "-o", packets)
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{DISSECTOR}", "-n", "-r", packets, "-Y", "http2", "-T", "fields", "-E", "aggregator=,", "-e",
         "http2.headers.path", "-e", "http2.headers.status", "-e", "_ws.malformed", "-e", "http2.headers.authorization"],
        capture_output=True, text=True, check=True, timeout=PATIENCE)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    paths = [path for row in rows for path in row[0].split(",") if path]
    statuses = [status for row in rows for status in row[1].split(",") if status]
    assert paths == [one.path for one in sent]
    assert statuses == ["200", "200", "400", "400", "410", "200"]
    assert {row[2] for row in rows} == {""}
    assert {name for row in rows for name in row[3].split(",") if name} == {"bearer not-in-the-capture"}
    # A capture that was exported is imported as it was, but for the provider token.
    apnsim("import", packets, "-o", again)
    assert pushes(again) == pushes(simulator.journal_file)


def archive(program, exchanges):
    """An HTTP archive of now as that program writes one."""
    begin = datetime.datetime.now(datetime.timezone.utc)

    def header(name, value):
        return {"name": name, "value": value}

    def entry(number, one, status, said):
        headers = [header(name, value) for name, value in one.named.items()]
        answered = [header("apns-id", "E0000000-0000-0000-0000-00000000000" + str(number))]
        request = {
            "method": one.method, "url": "https://api.push.apple.com" + one.path, "cookies": [], "queryString": [],
            "headersSize": 100, "bodySize": len(one.body), "postData": {"mimeType": "", "text": one.body, "params": []}}
        response = {
            "status": status, "statusText": "", "cookies": [], "redirectURL": "", "headersSize": 20,
            "bodySize": len(said), "headers": answered if status else [],
            "content": {"size": len(said), "mimeType": "application/json", "text": said}}
        moment = begin + datetime.timedelta(seconds=number)
        made = {"startedDateTime": moment.isoformat(), "time": 20.5, "cache": {},
                "timings": {"send": 1, "wait": 2, "receive": 3}, "request": request, "response": response}
        if program == "mitmproxy":
            request |= {"httpVersion": "HTTP/2.0", "headers": headers}
            response |= {"httpVersion": "HTTP/2.0"}
            made["serverIPAddress"] = "17.188.0.1"
        elif program == "charles":
            request |= {"httpVersion": "HTTP/2.0", "headers": [
                header(":method", one.method), header(":path", one.path), *headers]}
            zone = datetime.timezone(datetime.timedelta(hours=2))
            made |= {
                "_charlesStatus": "COMPLETE",
                "startedDateTime": moment.astimezone(zone).isoformat(timespec="milliseconds")}
        else:
            request |= {"httpVersion": "h2", "headers": [
                header(name.title(), value) for name, value in one.named.items() if name != "authorization"]}
            made |= {"connection": "443", "startedDateTime": moment.strftime("%Y-%m-%dT%H:%M:%S.123Z")}
            response["content"] |= {"encoding": "base64", "text": b64encode(said.encode()).decode()}
        return made

    made = [entry(number, *exchange) for number, exchange in enumerate(exchanges)]
    made.append({"startedDateTime": "2026-06-01T00:00:09.000Z", "time": 1, "request": {
        "method": "GET", "url": "https://example.com/", "headers": []}, "response": {"status": 200}})
    return {"log": {"version": "1.2", "creator": {"name": program, "version": "1"}, "entries": made}}


@pytest.mark.parametrize("program", ["mitmproxy", "charles", "browser"])
def test_an_archive_is_imported_as_its_programs_write_it(start, tmp_path, program):
    simulator = start()
    secret = jwt(simulator)
    exchanges = [
        (Push(secret), 200, ""), (Push(secret, 2, apns_topic=None), 400, '{"reason":"MissingTopic"}'),
        (Push(secret, 3), 0, ""),
    ]
    file, native, redacted = tmp_path / "a.har", tmp_path / "a.jsonl", tmp_path / "r.jsonl"
    file.write_text(json.dumps(archive(program, exchanges)))
    said = json.loads(apnsim("import", file, "-o", native, "--json").stdout)
    assert said["files"][0]["kind"] == "har"
    assert (said["requests"], said["answers"], said["requestsWithoutAnswer"]) == (3, 2, 1)
    assert any("1 request to other services left out (example.com)" in note for note in said["notes"])
    found = pushes(native)
    assert [one["path"] for one in found] == [one.path for one, _, _ in exchanges]
    assert [(one["status"], one["reason"]) for one in found] == [(200, None), (400, "MissingTopic"), (None, None)]
    assert all(one["headers"].get("authorization", "") == "" and one["body"] for one in found)
    assert secret not in native.read_text()
    if program == "browser":
        assert any("without a provider token" in note for note in said["notes"])
        return
    assert [one["headers"].get("apns-topic") for one in found] == [TOPIC, None, TOPIC]
    # The request without an answer is answered by the simulator, which is a difference.
    done = replay(native, simulator, "--speed", "max")
    assert done.returncode == 1 and "1 of 3 requests fared otherwise" in done.stdout, (done.stdout, done.stderr)
    assert "recorded  stream 5  no answer" in done.stdout and "replayed  stream 5  200" in done.stdout
    apnsim("import", native, "-o", redacted, "--redact")
    hidden = pushes(redacted)
    assert [(one["status"], one["reason"]) for one in hidden] == [(one["status"], one["reason"]) for one in found]
    assert token(1) not in str(hidden) and '"hi"' not in str(hidden)
    assert len(hidden[0]["path"]) == len(found[0]["path"]) and hidden[0]["headers"]["apns-topic"] == TOPIC
