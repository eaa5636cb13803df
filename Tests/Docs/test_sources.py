"""The texts on the house name what is there: files, the functions in them, and types."""

import re
import subprocess
from pathlib import PurePosixPath

import pytest

from conftest import ROOT

CODE = re.compile(r"`([^`\n]+)`")
# `World+Ruling.swift:rule`, `Restart/World+Replay.swift`, `scripts/floors`
FILE = re.compile(r"([\w+.-]+(?:/[\w+.-]+)*\.(?:swift|py|json|js|c|h|md|txt)|(?:Sources|Tests|Benchmarks|fixtures|scripts|docs)/[\w+./-]+)(?::(\w+))?")
# `Ruling`, `RuleBook.limit`, `World.rule(on:)`
TYPE = re.compile(r"([A-Z]\w*[a-z]\w*)(?:\.(\w+)(?:\([\w:]*\))?)?")
DECLARED = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|extension|func|var|let|case)\s+`?(?:\w+\.)*(\w+)|\b(init)\b")
# A type of Foundation's.
ELSEWHERE = {"Process"}


class Sources:
    """The tracked files, and the names that Swift files declare."""

    def __init__(self, paths):
        self.names = {path: names(path) for path in paths}
        self.types = set().union(*self.names.values(), ELSEWHERE)
        self.types |= {part.partition(".")[0] for path in paths for part in PurePosixPath(path).parts}

    def files(self, path):
        return [one for one in self.names if f"/{one}".endswith(f"/{path}") or one.startswith(f"{path}/")]


@pytest.fixture(scope="module")
def sources():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return Sources([path for path in tracked if path])


def names(path):
    if not path.endswith(".swift"):
        return set()
    return {name for pair in DECLARED.findall((ROOT / path).read_text()) for name in pair if name}


def named(document):
    """The line and text of each piece of code in a document that is no example of its own."""
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), (ROOT / document).read_text(), flags=re.M | re.S)
    return [(text.count("\n", 0, code.start()) + 1, code[1]) for code in CODE.finditer(text)]


def mistake(code, sources):
    """The fault of a name that leads nowhere; None where it leads somewhere, or is no name."""
    if found := FILE.fullmatch(code):
        path, function = found[1].rstrip("/"), found[2]
        if not (there := sources.files(path)):
            return "no such file"
        return "declares no such function" if function and not any(function in sources.names[one] for one in there) else None
    if found := TYPE.fullmatch(code):
        wanted = set(filter(None, found.groups()))
        places = [sources.types] if len(wanted) == 1 else sources.names.values()
        return None if any(wanted <= place for place in places) else "declared nowhere"
    return None


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_file_function_and_type_that_is_named_is_there(document, sources):
    wrong = [f"{document}:{line}: `{code}`: {words}" for line, code in named(document) if (words := mistake(code, sources))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("code", [
    "Nowhere.swift", "scripts/nowhere", "Sources/Nowhere/File.swift", "Simulator.swift:nowhere", "NowhereType", "Simulator.flushRecording()",
])
def test_a_name_that_leads_nowhere_is_found(code, sources):
    assert mistake(code, sources)
