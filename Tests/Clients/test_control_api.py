"""The control API against its own description: the document is valid OpenAPI, and no request that follows it, or does
not, makes the simulator fail or answer in another shape than it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import simulator as apnsim
from control import call


@pytest.fixture
def control(start):
    running = start()
    return json.loads(running.endpoints_file.read_text())["control"]


def test_the_document_is_valid_openapi(document):
    openapi_spec_validator = pytest.importorskip("openapi_spec_validator")
    openapi_spec_validator.validate(document)


def test_no_generated_request_breaks_the_server_or_its_word(control, tmp_path):
    pytest.importorskip("schemathesis")
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", f"{control}/api/v1/openapi.json",
        "--url", f"{control}/api/v1", "--phases", "examples,fuzzing", "--mode", "all",
        "--checks", "not_a_server_error,response_schema_conformance,content_type_conformance",
        # Routes that block on purpose, and the same routes once more below a sandbox.
        "--exclude-path-regex", r"sandboxes/\{sandbox\}/|/events|/wait|livez|readyz",
        "--max-examples", "25", "--seed", "7", "--workers", "2", "--request-timeout", str(apnsim.PATIENCE), "--suppress-health-check", "all",
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=apnsim.PATIENCE, cwd=tmp_path)
    assert result.returncode == 0, result.stdout[-8000:]
    status, ready = call("GET", f"{control}/readyz")
    assert (status, ready["ok"], ready["missing"]) == (200, True, [])


def test_a_wait_that_is_nonsense_is_a_problem_with_a_place(control):
    wait = f"{control}/api/v1/notifications/wait"
    for body, pointer in [
        ({"count": {"atLeast": "many"}}, "/count/atLeast"),
        ({"timeout": "1y"}, "/timeout"),
        ({"where": {"topik": "x"}}, "/where/topik"),
        ({"query": "status:eight"}, "/query"),
    ]:
        status, problem = call("POST", wait, body)
        assert (status, problem["pointer"]) == (400, pointer), problem
