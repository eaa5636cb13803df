"""What a document shows in a terminal is typed there, and comes back as it says."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import generator
from terminal import Terminal, difference, play, steps

# The documents whose terminals are run, and the sections of them; none means all of them.
PLAYED = {"README.md": ["start"], "docs/first-minute.md": None, "docs/tutorial.md": None, "docs/control-api.md": None}


def blocks(path):
    """The blocks of a document that are run or are files: (line, language, name, content)."""
    document = generator.Document(path)
    for section in PLAYED[path] or document.sections:
        for token in document.sections[section]:
            if token.type == "fence":
                language, _, name = token.info.strip().partition(" ")
                yield token.map[0] + 1, language, name, token.content


@pytest.fixture(scope="module")
def played(request, program, tmp_path_factory):
    """What is wrong with each document that a test asks for: they are played beside each other."""
    here = tmp_path_factory.mktemp("terminals")
    certificates = here / "certs"
    program.run("certs", "init", "--certs", str(certificates))

    def problems(path):
        directory = here / path.replace("/", "-") / "here"
        directory.mkdir(parents=True)
        with Terminal(program.path, certificates, directory) as terminal:
            return list(play(terminal, blocks(path)))

    asking = [item for item in request.session.items if "played" in getattr(item, "fixturenames", ())]
    asked = {item.callspec.params["path"] for item in asking}
    with ThreadPoolExecutor() as pool:
        yield {path: pool.submit(problems, path) for path in PLAYED if path in asked}


@pytest.mark.parametrize("path", PLAYED)
def test_what_a_document_shows_is_what_happens(path, played):
    assert not (wrong := played[path].result()), "\n\n".join(f"{path}, {problem}" for problem in wrong)


def test_output_is_compared_but_for_what_changes():
    said = ["sent 1 notification to 127.0.0.1:2197", "1  200  apns-id 1B57E5F1-4F5F-4E0B-A59C-1E5E9C7F4C44"]
    assert difference(said, [said[0], "1   200  apns-id 0D2E4A52-6B3C-4A0B-9F35-2C8F3A9E1D10"]) is None
    assert difference(said, [said[0], "1  201  apns-id 0D2E4A52-6B3C-4A0B-9F35-2C8F3A9E1D10"])
    assert difference(said, said[:1]) and difference(said[:1], said)
    assert difference(["a", "...", "d"], ["a", "b", "c", "d"]) is None
    assert difference(["a", "...", "d"], ["a", "b", "c"])
    assert difference(["Apple says …"], ["Apple says no"]) is None
    assert difference(["Apple says …"], ["Orange says no"])


def test_a_terminal_has_commands_and_what_they_print():
    assert steps("$ a \\\n    b\none\n\n$ c  # why\n$ d\ntwo\n") == [
        ("a \\\n    b", ["one"], 0), ("c  # why", [], 4), ("d", ["two"], 5)]
