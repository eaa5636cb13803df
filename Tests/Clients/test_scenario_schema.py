"""The schema of scenario files and their reader agree on what is one."""

import concurrent.futures
import copy
import json
import re
import subprocess
import urllib.request

import jsonschema
import pytest
import yaml

import yaml_1_2
from simulator import PATIENCE, ROOT, apnsim

FILE = ROOT / "fixtures/schemas/scenario-1.json"
SCHEMA = json.loads(FILE.read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SETS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "fixtures/mistakes").glob("*.json"))}
GOOD = [(f"{name}: {text}", set["before"] + text + set["after"]) for name, set in SETS.items() for text in set["good"]]
MISTAKES = [(name, set["before"] + mistake["text"] + set["after"], mistake.get("unseen"))
            for name, set in SETS.items() for mistake in set["mistakes"]]

# Mistakes that no schema can see, which looks at one value and at the values in it.
UNSEEN = {
    "reference": "names what nothing else in the file defines, or what something else has already",
    "order": "compares two values, or comes after what ends it",
    "arithmetic": "is a number, size or moment that takes calculation",
    "twice": "has a key twice, of which a parser keeps one, or one thing under two keys",
    "yaml": "cannot be read as YAML or JSON at all, or is no file's content",
    "expression": "is a regular expression that has a mistake of its own",
    "file": "depends on other files",
}


def shipped():
    """Every scenario of the repository's YAML files, by the reader's word."""
    listed = subprocess.run(["git", "ls-files", "*.yaml", "*.yml"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = [ROOT / name for name in listed.stdout.split()]
    for path in paths:
        if path.parent.name == "scenarios" or apnsim("scenario", "check", path, check=False).returncode == 0:
            yield path


@pytest.fixture(scope="module")
def documents():
    """What the reader takes: all that ships, and the good texts among the mistakes."""
    return [(str(path), yaml_1_2.load(path.read_text())) for path in shipped()] \
        + [(name, yaml_1_2.load(text)) for name, text in GOOD] \
        + [("in a file alone", {"apps": {"com.example.app": {"localizations": "strings"}}})]


def test_the_file_is_what_the_program_prints():
    assert apnsim("scenario", "schema").stdout == FILE.read_text()
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_file_is_what_a_server_gives(simulator):
    with urllib.request.urlopen(f"{simulator.control}/api/v1/scenario/schema", timeout=PATIENCE) as answer:
        assert answer.headers["content-type"] == "application/schema+json"
        assert answer.read() == FILE.read_bytes()


def test_everything_that_ships_and_every_good_text_is_valid(documents):
    assert len(documents) > 250
    wrong = [(name, error.json_path, error.message[:200])
             for name, document in documents for error in [jsonschema.exceptions.best_match(VALIDATOR.iter_errors(document))]
             if error]
    assert not wrong


def is_valid(text):
    try:
        return VALIDATOR.is_valid(yaml_1_2.load(text))
    except yaml.YAMLError:
        return None


def test_every_mistake_that_the_reader_finds_is_refused_but_those_that_no_schema_sees():
    assert len(MISTAKES) > 240
    overlooked = [(name, text[-120:]) for name, text, unseen in MISTAKES if not unseen and is_valid(text) is not False]
    assert not overlooked
    seen = [(name, text[-120:]) for name, text, unseen in MISTAKES if unseen and is_valid(text) is False]
    assert not seen, "these are refused after all: they need no excuse"
    unreadable = [(name, text) for name, text, unseen in MISTAKES if is_valid(text) is None and unseen != "yaml"]
    assert not unreadable
    assert {unseen for _, _, unseen in MISTAKES if unseen} == set(UNSEEN)
    assert sum(unseen is not None for _, _, unseen in MISTAKES) < len(MISTAKES) / 3


# Where the keys of each definition stand.

def resolved(schema):
    while isinstance(schema, dict) and "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        schema = {"definition": name} | SCHEMA["$defs"][name]
    return schema


def places(value, schema=SCHEMA, path=()):
    """Each key of a valid document that is the format's: the definition that has it, the key, and the path to it."""
    schema = resolved(schema)
    if not isinstance(schema, dict):
        return
    for branch in schema.get("oneOf", []) + schema.get("anyOf", []):
        if VALIDATOR.evolve(schema=branch).is_valid(value):
            yield from places(value, branch, path)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from places(item, schema["items"], (*path, index))
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in schema.get("properties", {}) and schema.get("additionalProperties") is False:
                yield schema.get("definition", "scenario"), key, (*path, key)
                yield from places(inner, schema["properties"][key], (*path, key))
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from places(inner, schema["additionalProperties"], (*path, key))
            for pattern, others in schema.get("patternProperties", {}).items():
                if re.search(pattern, key):
                    yield from places(inner, others, (*path, key))


def keys():
    """Every key of every mapping of the format."""
    named = [("scenario", SCHEMA), *SCHEMA["$defs"].items()]
    return {(name, key) for name, schema in named if schema.get("additionalProperties") is False
            for key in schema["properties"]}


@pytest.fixture(scope="module")
def examples(documents):
    """A document for each key of the format, and the path to the key in it."""
    found = {}
    # A bound that no scenario reaches stands in none.
    bounds = ("bounds", {"version": 1, "settings": {"deadTokens": 1000}})
    for _, document in sorted([*documents, bounds], key=lambda named: len(json.dumps(named[1]))):
        for definition, key, path in places(document):
            found.setdefault((definition, key), (document, path))
    return found


def changed(document, path, change):
    document = copy.deepcopy(document)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    change(inner, path[-1])
    return document


def renamed(mapping, key):
    entries = [(f"{name}x" if name == key else name, value) for name, value in mapping.items()]
    mapping.clear()
    mapping.update(entries)


def verdicts(simulator, bodies):
    """What the reader finds in each document."""
    def verdict(body):
        request = urllib.request.Request(
            f"{simulator.control}/api/v1/scenario/check", json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return [mistake["message"] for mistake in json.load(answer)["mistakes"]]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(verdict, bodies))


def test_every_key_is_in_a_document_and_is_refused_by_both_where_it_is_misspelled(simulator, examples):
    assert len(keys()) > 250
    assert sorted(keys() - set(examples)) == []
    bodies = [changed(document, path, renamed) for document, path in examples.values()]
    for (definition, key), body, found in zip(examples, bodies, verdicts(simulator, bodies), strict=True):
        assert not VALIDATOR.is_valid(body), f"{key}x of {definition}"
        assert any(f'"{key}x"' in message and "unknown" in message for message in found), (definition, key, found)


# A number that the field never has is marked everywhere, and refused where nothing else is asked of the field.
POINTLESS = {(f"{name}TestOperators", key) for name in ("place", "command", "priority") for key in ("equals", "not")}

PROBES = [None, "", "zzz", "none", "1h", "5", "on", True, False, 0, 1, -1, 1.5, 300, 99999999999, [], ["zzz"], [1], {}, {"zzz": 1}]


def test_a_value_that_the_reader_takes_is_valid(simulator, examples):
    """For keys of every kind with every value of a few: what an editor marks is wrong."""
    kinds = {}
    for definition, key in examples:
        noun = SCHEMA if definition == "scenario" else SCHEMA["$defs"][definition]
        kind = {word: value for word, value in noun["properties"][key].items() if word != "description"}
        kinds.setdefault(json.dumps(kind), (definition, key))
    assert len(kinds) > 80
    tried = [(name, probe, changed(*examples[name], lambda mapping, key, probe=probe: mapping.__setitem__(key, probe)))
             for name in kinds.values() if name not in POINTLESS for probe in PROBES]
    found = verdicts(simulator, [body for _, _, body in tried])
    falsely_marked = [(name, probe) for (name, probe, body), mistakes in zip(tried, found, strict=True)
                      if not mistakes and not VALIDATOR.is_valid(body)]
    # The reader takes a list of one for a setting's only value, which no editor need offer.
    falsely_marked = [(name, probe) for name, probe in falsely_marked if (name[0], probe) != ("settings", [1])]
    assert not falsely_marked
    # Refused by both, for the most part: the rest refers to what is not there.
    refused = [VALIDATOR.is_valid(body) for (_, _, body), mistakes in zip(tried, found, strict=True) if mistakes]
    assert refused.count(False) > 0.8 * len(refused)
