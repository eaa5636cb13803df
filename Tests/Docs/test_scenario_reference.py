"""The reference of scenarios names every key, and every word of a closed set, that the schema has."""

import json
import re

import pytest

from conftest import ROOT

REFERENCE = (ROOT / "fixtures/scenarios/README.md").read_text()
SCHEMA = json.loads((ROOT / "fixtures/schemas/scenario-1.json").read_text())
NOUNS = {"scenario": SCHEMA} | {
    name: schema for name, schema in SCHEMA["$defs"].items() if schema.get("additionalProperties") is False}
# Their words are in the settings' own help.
ELSEWHERE = {"settings"}


def test_the_schema_has_the_format():
    assert len(NOUNS) > 50
    assert {"device", "rule", "conditions", "reply", "fault", "step", "notification", "request", "query"} <= set(NOUNS)


@pytest.mark.parametrize("noun", sorted(set(NOUNS) - ELSEWHERE))
def test_every_key_that_the_program_knows_is_in_the_reference(noun):
    missing = [key for key in NOUNS[noun]["properties"]
               if not re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", REFERENCE)]
    assert not missing


@pytest.mark.parametrize("noun", sorted(NOUNS))
def test_every_key_has_a_sentence_for_editors(noun):
    silent = [key for key, schema in NOUNS[noun]["properties"].items() if len(schema.get("description", "")) < 5]
    assert not silent
