"""No body that the control API takes is refused by its description: who keeps to the one may use all of the other.

The other way around it says less: of texts it tells what it told in version 0.1, and not what goes together."""

import copy
import json
import re

import jsonschema
import pytest

import simulator as apnsim
from control import call

# A body that each operation takes; the members of its schema are tried in it one after another.
BODIES = {
    ("PUT", "/devices/{device}"): {"apps": [{"topic": apnsim.TOPIC}], "online": True},
    ("PATCH", "/devices/{device}"): {"online": True},
    ("POST", "/devices/{device}/install"): {"topic": apnsim.TOPIC},
    ("POST", "/devices/{device}/uninstall"): {"topic": apnsim.TOPIC},
    ("POST", "/devices/{device}/rotate"): {"topic": apnsim.TOPIC},
    ("POST", "/devices/{device}/activities"): {"topic": apnsim.TOPIC, "attributesType": "Score"},
    ("POST", "/devices/{device}/subscribe"): {"topic": apnsim.TOPIC, "channel": "tvI2UK0vEfEAAA6GFpCjoQ=="},
    ("POST", "/channels"): {"topic": apnsim.TOPIC, "storagePolicy": 1},
    ("POST", "/feedback"): {"topic": apnsim.TOPIC, "token": apnsim.token(2)},
    ("POST", "/faults"): {"when": {"nth": 99}, "reply": {"status": 8}},
    ("POST", "/notifications"): {"to": "bob", "payload": {"aps": {}}},
    ("POST", "/notifications/wait"): {"count": 0, "timeout": "1ms"},
    ("POST", "/clock/preview"): {"by": "1s"},
    ("POST", "/clock/advance"): {"by": "1ms"},
    ("POST", "/clock/set"): {"to": "2040-01-01T00:00:00Z"},
}
VALUES = [
    None, True, False, 0, 1, -1, 2, 1.5, 256, 600, 2**31, 2**53, "", "x", "0", "1", "-1", "true", "now", "never", "1ms",
    "2012-06-01T00:00:00Z", "production", "0a0a0a0a", "a b", [], ["x"], [1], [{}], {}, {"x": 1}, {"a.b": "x"},
]


def resolve(document, value):
    while "$ref" in value:
        kind, name = value["$ref"].split("/")[-2:]
        value = document["components"][kind][name]
    return value


def schema_of(document, method, path):
    body = resolve(document, document["paths"][path][method.lower()]["requestBody"])
    return body["content"]["application/json"]["schema"]


def changed(base, members):
    """The body with each member in turn, and with each value at it; then with each value in its place."""
    for name in members:
        for value in VALUES:
            yield {**base, name: value}
    yield from ([], {}, "x", 1)


def taken_all_the_same(document, control, method, path):
    """The bodies that the document refuses and the API takes, each with its status."""
    schema = schema_of(document, method, path)
    refuses = jsonschema.Draft202012Validator({**schema, "components": document["components"]})
    for body in changed(BODIES[method, path], resolve(document, schema)["properties"]):
        if refuses.is_valid(body):
            continue
        status, _ = call(method, f"{control}/api/v1{path.replace('{device}', 'bob')}", body)
        if status != 400:
            yield f"{method} {path} {json.dumps(body)}: {status}"


@pytest.fixture
def control(start):
    bob = {"apps": [{"topic": apnsim.TOPIC, "environment": "production", "token": apnsim.token(1)}]}
    return start(scenario={**apnsim.scenario(), "devices": {"bob": bob}}).control


def test_every_operation_with_a_body_is_tried(document):
    with_schema = {
        (method.upper(), path) for path, item in document["paths"].items() for method, operation in item.items()
        if path.count("{sandbox}") == 0 and "requestBody" in operation
        and not re.search("scenario|sandboxes", path)}
    # A device unsubscribes by the same body as it subscribes.
    assert with_schema == set(BODIES) | {("POST", "/devices/{device}/unsubscribe")}


def test_no_body_that_the_api_takes_is_refused_by_the_document(document, control):
    taken = [line for operation in BODIES for line in taken_all_the_same(document, control, *operation)]
    assert not taken, "\n".join(taken)


def test_a_document_that_is_stricter_than_the_api_is_found(document, control):
    stricter = copy.deepcopy(document)
    stricter["components"]["schemas"]["ClockAdvance"]["properties"]["by"] = {"type": "string"}
    assert list(taken_all_the_same(stricter, control, "POST", "/clock/advance")) == [
        'POST /clock/advance {"by": 0}: 200']
