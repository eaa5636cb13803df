"""Every answer of the control API is what its description says: valid, and without a member that is not described."""

import json
import re

import jsonschema
import pytest

import simulator as apnsim
from control import call

# The schemas of answers that this simulator does not give: it shows no recording and keeps no state; events are text.
ELSEWHERE = {"Recording", "State", "StateSnapshot", "Digest", "DigestHello"}


def closed(schema):
    """The schema of a whole value, which has no members but those that are described."""
    schema = within(schema)
    open_to_all = "additionalProperties" in schema or schema.get("$ref", "").endswith("/Scenario")
    if not open_to_all and {"properties", "$ref", "allOf", "anyOf"} & schema.keys():
        schema["unevaluatedProperties"] = False
    return schema


def within(schema):
    """The schema of a value, or of a part of one, with the values in it closed."""
    changed = dict(schema)
    for key, value in schema.items():
        if key == "properties":
            changed[key] = {name: closed(member) for name, member in value.items()}
        elif key == "items":
            changed[key] = closed(value)
        elif key in ("allOf", "anyOf", "oneOf"):
            changed[key] = [within(part) for part in value]
    return changed


class Answers:
    """The answers of a simulator, each held to the schema of its operation."""

    def __init__(self, document, control):
        self.control, self.document, self.met = control, document, set()
        self.components = {"schemas": {name: within(schema) for name, schema in document["components"]["schemas"].items()}}

    def __call__(self, method, path, body=None):
        status, found = call(method, self.control + ("" if path.endswith("z") else "/api/v1") + path, body)
        schema = self.schema(method, path.partition("?")[0], status)
        errors = jsonschema.Draft202012Validator({**closed(schema), "components": self.components}).iter_errors(found)
        assert not (lines := [f"{method} {path} {status}: {error.json_path}: {error.message[:400]}" for error in errors]), "\n".join(lines)
        self.meet(schema)
        return found

    def schema(self, method, path, status):
        """What the document says of such an answer."""
        places = [place for place in self.document["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", place), path)]
        operation = self.document["paths"][min(places, key=lambda place: place.count("{"))][method.lower()]
        answer = operation["responses"].get(str(status)) or operation["responses"]["default"]
        while "$ref" in answer:
            answer = self.document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        contents = answer.get("content", {}).items()
        return next((content["schema"] for kind, content in contents if kind.endswith("json")), {"type": "null"})

    def meet(self, schema):
        """Notes the schemas that the answer was held to, with those within them."""
        for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schema)):
            if name not in self.met:
                self.met.add(name)
                self.meet(self.document["components"]["schemas"][name])


@pytest.fixture
def answers(start, document):
    bob = {"apps": [{"topic": apnsim.TOPIC, "environment": "production", "token": apnsim.token(1)}]}
    simulator = start("--http2-port", "0", scenario={**apnsim.scenario(), "devices": {"bob": bob}})
    apnsim.apnsim("send", "--demo", "--endpoints-file", simulator.endpoints_file, check=False)
    return Answers(document, simulator.control)


def send(answers, **body):
    """A notification to bob, tried and sent."""
    body = {"to": "bob", "topic": apnsim.TOPIC, "payload": {"aps": {"alert": "Hello", "badge": 1, "sound": "default"}}, **body}
    answers("POST", "/notifications?preview=true", body)
    return answers("POST", "/notifications", body)["id"]


def fill(answers):
    """Makes something of everything that can be looked at."""
    answers("PUT", "/devices/carol", {"apps": [{"topic": apnsim.TOPIC}], "online": False, "languages": ["de"]})
    for rule in [
        {"name": "gone", "when": {"device": "carol"}, "reply": {"reason": "Unregistered", "timestamp": "2h ago"}, "times": 3},
        {"when": {"nth": {"gt": 90}}, "reply": {"status": 8, "afterFrames": 2, "split": True}, "after": 1, "every": 2},
        {"when": {"payload": {"a": 1}}, "fault": "swallow"},
        {"when": {"topic": "none"}, "fault": {"slice": {"bytes": 1, "pause": "10ms"}}, "state": {"requires": "a", "becomes": "b"}},
        {"when": {"topic": "none"}, "proceed": True},
    ]:
        answers("POST", "/faults?preview=true", rule)
        answers("POST", "/faults", rule)
    ids = [send(answers, api="http2"), send(answers, api="binary"), send(answers, api="binary", to="carol"),
           send(answers, api="http2", to="carol"), send(answers, api="binary", to=apnsim.token(7))]
    answers("POST", "/feedback", {"topic": apnsim.TOPIC, "token": apnsim.token(2), "timestamp": 1338508800})
    channel = answers("POST", "/channels", {"topic": apnsim.TOPIC, "storagePolicy": 1, "subscribers": ["bob"]})
    answers("POST", "/devices/bob/activities", {"topic": apnsim.TOPIC, "attributesType": "Score", "channel": channel["id"]})
    answers("POST", "/devices/bob/offline")
    return ids + [send(answers, api="http2"), send(answers, api="binary")]


def test_every_answer_is_what_the_document_says(answers):
    for path in ("/livez", "/readyz"):
        answers("GET", path)
    for name in fill(answers) + [one["id"] for one in answers("GET", "/notifications?counts=true")["notifications"]]:
        answers("GET", f"/notifications/{name}")
    for path in ("/devices?unnamed=10", "/devices/bob", "/devices/bob/inbox", "/devices/bob/stored", "/devices/bob/activities",
                 "/devices/none", "/faults", "/faults/catalogue", "/faults/gone", "/feedback", "/feedback/reads", "/channels",
                 "/connections", "/clock?ahead=true", "/advice", "/scenario", "/credentials", "/notifications/histogram",
                 "/queries/complete?text=st", "/recording", "/state"):
        answers("GET", path)
    for connection in answers("GET", "/connections")["connections"]:
        answers("GET", f"/connections/{connection['id']}")
        answers("GET", f"/connections/{connection['id']}/story")
    answers("POST", "/clock/preview", {"by": "1d"})
    answers("POST", "/notifications/wait", {"where": {"topic": "none"}, "count": 1, "timeout": "1ms"})
    answers("POST", "/notifications/wait?assert=true", {"where": {"device": "dave"}, "count": 1, "timeout": "1ms"})
    answers("POST", "/scenario/check", {"version": 1, "devces": {}})
    answers("POST", "/sandboxes", {})
    answers("GET", "/sandboxes")
    # The schemas of answers that were not met.
    answered = Answers(answers.document, "")
    for operations in answers.document["paths"].values():
        answered.meet([operation["responses"] for method, operation in operations.items() if "responses" in operation])
    answered.meet(answers.document["components"]["responses"])
    assert answered.met - answers.met <= ELSEWHERE, answered.met - answers.met - ELSEWHERE


def test_a_member_that_is_not_described_is_found(answers):
    del answers.components["schemas"]["App"]["properties"]["badge"]
    with pytest.raises(AssertionError, match="badge"):
        answers("GET", "/devices")
