"""The journal's lines are what fixtures/schemas says."""

import json
import pathlib

import jsonschema

import frames
from simulator import token

SCHEMA = pathlib.Path(__file__).parents[2] / "fixtures" / "schemas" / "journal-1.json"


def test_every_line_of_a_recording_is_valid(simulator):
    for bad in (b"GET / HTTP/1.1", frames.enhanced(2, "ab"), frames.enhanced(3, token(1), b"{")):
        with simulator.connect(simulator.gateway) as connection:
            connection.sendall(frames.enhanced(1, token(1)) + bad + frames.enhanced(4, token(2)))
            assert len(connection.recv(6)) == 6
    with simulator.connect(simulator.feedback) as connection:
        assert connection.recv(6) == b""
    simulator.stop()
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    lines = simulator.journal_file.read_text().splitlines()
    assert len(lines) > 15
    for line in lines:
        validator.validate(json.loads(line))


def test_the_schema_refuses_what_is_none():
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    good = {
        "seq": 1, "time": "2012-06-01T00:00:00.000Z", "event": "notification", "id": "n1", "connection": "c1",
        "topic": "com.example.app", "command": 1, "outcome": "delivered", "raw": "AQ=="}
    assert validator.is_valid(good)
    for key, value in (("seq", 0), ("time", "now"), ("id", "57"), ("outcome", "lost"), ("raw", "?")):
        assert not validator.is_valid(good | {key: value}), key
