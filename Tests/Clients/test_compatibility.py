"""What version 0.1.0 said of the control API still holds: for who calls it by the document of then, and in what it
answers now."""

import copy
import json
import os
import re
import subprocess

import jsonschema
import pytest

import compatibility
import simulator as apnsim
from control import call

OLD = json.loads((apnsim.ROOT / "fixtures/0.1/openapi.json").read_text())

# Differences for a reader, with the reasons; CHANGELOG.md has them under "Upgrading from 0.1". None of them is met
# before somebody pushes over HTTP/2, which 0.1 could not.
KNOWN = {
    "GET /notifications 200.notifications[].command: is ['integer', 'null'], before ['integer'] only":
        "a request over HTTP/2 has no command",
    "GET /notifications 200.notifications[].status: is ['integer', 'null'], before ['integer'] only":
        "a request may stay without an answer",
    "GET /faults 200.faults[].rule.reply.status: is not always there any more":
        "a reply may be a reason of HTTP/2",
}


def test_nothing_of_the_api_of_0_1_is_gone_or_newly_required(document):
    assert set(compatibility.differences(OLD, document)) == set(KNOWN)


def test_the_changelog_says_what_is_otherwise():
    section = (apnsim.ROOT / "CHANGELOG.md").read_text().partition("### Upgrading from 0.1")[2].partition("\n### ")[0]
    for member in ("`command`", "`status`"):
        assert member in section, f"{member} is not in the changelog's paragraph on upgrading"


@pytest.mark.parametrize("change, found", [
    (lambda d: d["paths"].pop("/clock"), "/clock: the path is gone"),
    (lambda d: d["paths"]["/notifications"].pop("delete"), "DELETE /notifications: the method is gone"),
    (lambda d: d["components"]["schemas"]["Notification"]["properties"].pop("outcome"), "outcome: is gone"),
    (lambda d: d["components"]["schemas"]["Notification"]["required"].remove("seq"), "seq: is not always there any more"),
    (lambda d: d["components"]["schemas"]["Notification"]["properties"]["payloadSize"].update(type="string"),
     "payloadSize: is ['string'], before"),
    (lambda d: d["paths"]["/notifications"]["get"]["parameters"].append(
        {"in": "query", "name": "why", "required": True, "schema": {}}), "query parameter why: is new and required"),
    (lambda d: d["paths"]["/notifications"]["get"]["responses"].pop("200"), "GET /notifications 200: the status is gone"),
])
def test_the_comparison_finds_what_is_taken_away(document, change, found):
    mistaken = copy.deepcopy(document)
    change(mistaken)
    lines = compatibility.differences(OLD, mistaken)
    assert any(found in line for line in lines), lines


def test_the_comparison_finds_a_body_that_takes_less():
    """Every member of every body is made required, and every enumeration loses a word: each is found."""
    old = {"paths": {"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": {
        "type": "object", "properties": {"a": {"enum": ["b", "c"]}, "n": {"type": ["integer", "null"], "maximum": 9},
                                         "o": {"oneOf": [{"type": "string"}, {"type": "integer"}]}}}}}}}}}}
    for change, found in [
        (lambda s: s.update(required=["a"]), ".a: is required now"),
        (lambda s: s["properties"]["a"]["enum"].remove("c"), ".a: does not take ['c'] any more"),
        (lambda s: s["properties"]["n"].update(type="integer"), ".n: takes ['integer'] only"),
        (lambda s: s["properties"]["n"].update(maximum=8), ".n: maximum is 8, before 9"),
        (lambda s: s["properties"]["o"]["oneOf"].pop(), "takes ['string'] only, before ['integer']"),
        (lambda s: s["properties"].pop("a") and s.update(additionalProperties=False), ".a: is not taken any more"),
    ]:
        new = copy.deepcopy(old)
        change(new["paths"]["/x"]["post"]["requestBody"]["content"]["application/json"]["schema"])
        lines = compatibility.differences(old, new)
        assert any(found in line for line in lines), (found, lines)


def test_what_is_answered_now_is_what_the_document_of_0_1_says(start):
    """After traffic over the binary interface, every list and view that 0.1 had reads as it did."""
    simulator = start(scenario=apnsim.scenario([apnsim.device(apnsim.token(1))], [(apnsim.TOPIC, apnsim.token(2), "2012-06-01T00:00:00Z")]))
    apnsim.apnsim("send", "--demo", "--endpoints-file", simulator.endpoints_file, check=False)
    base = f"{simulator.control}/api/v1"
    status, _ = call("POST", f"{base}/faults", {"when": {"nth": 99}, "reply": {"status": 8}})
    assert status == 201
    seen = 0
    for path, methods in OLD["paths"].items():
        answer = methods.get("get", {}).get("responses", {}).get("200", {})
        answer = compatibility.Comparison._of(OLD, answer)
        schema = answer.get("content", {}).get("application/json", {}).get("schema")
        if schema is None or "sandbox" in path:
            continue
        if "{" in path:
            family = path.strip("/").split("/")[0]
            given = {"notifications": "n1", "devices": "device0", "connections": "c1"}.get(family)
            if given is None or path.count("{") > 1:
                continue
            path = path[: path.index("{")] + given + path[path.index("}") + 1:]
        code, found = call("GET", (simulator.control if path in ("/livez", "/readyz") else base) + path)
        assert code == 200, (path, found)
        jsonschema.validate(found, {**schema, "components": OLD["components"]}, cls=jsonschema.Draft202012Validator)
        seen += 1
    assert seen >= 12, seen


def test_every_setting_and_command_of_0_1_is_there(tmp_path):
    """A setting is a flag, a variable and a key of a file: each of them is read in each way."""
    words = json.loads((apnsim.ROOT / "fixtures/0.1/words.json").read_text())
    help_text = apnsim.apnsim("serve", "--help").stdout
    everything = json.loads(apnsim.apnsim("--experimental-dump-help").stdout)["command"]

    def names(command):
        return {command["commandName"]}.union(*(names(one) for one in command.get("subcommands", [])))
    assert set(words["commands"]) <= names(everything)
    for setting in words["settings"]:
        flag = re.sub("[A-Z]", lambda capital: "-" + capital.group().lower(), setting)
        assert f"--{flag} " in help_text, setting
    # A value that no setting takes is named with the setting, so that it is known; an error names the first few.
    keys = [setting for setting in words["settings"] if setting != "config"]
    config = tmp_path / "config.yaml"
    for first in range(0, len(keys), 10):
        some = keys[first:first + 10]
        config.write_text("".join(f"{key}: {{}}\n" for key in some))
        run = subprocess.run(
            [apnsim.BINARY, "serve", "--config", str(config)], capture_output=True, text=True, timeout=apnsim.PATIENCE,
            env={"PATH": os.environ["PATH"]})
        assert run.returncode == 78
        assert [key for key in some if f" for {key}, found" not in run.stderr] == [], run.stderr
