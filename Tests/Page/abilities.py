"""What the program can do, by its own description: a page leaves out what there is not, and so do its tests."""

import json

import pytest

import control


def needs(simulator, path, method, parameter=""):
    """Skips the test where the control API has no such operation, or not this parameter of it."""
    _, document = control.call("GET", f"{simulator.control}/api/v1/openapi.json")
    operation = document["paths"].get(path, {}).get(method)
    if not operation or parameter not in json.dumps(operation.get("parameters", [])).lower():
        pytest.skip(f"this program has no {method.upper()} {path} {parameter}")
