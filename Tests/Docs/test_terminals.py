"""What a document shows in a terminal is typed there, and comes back as it says."""

import pytest

from conftest import generator
from terminal import Terminal, difference, play, steps

# The documents whose terminals are run, and the sections of them; none means all of them.
PLAYED = {"README.md": ["first-minute"], "docs/tutorial.md": None, "docs/control-api.md": None}


def blocks(path):
    """The blocks of a document that are run or are files: (line, language, name, content)."""
    document = generator.Document(path)
    for section in PLAYED[path] or document.sections:
        for token in document.sections[section]:
            if token.type == "fence":
                language, _, name = token.info.strip().partition(" ")
                yield token.map[0] + 1, language, name, token.content


@pytest.mark.parametrize("path", PLAYED)
def test_what_a_document_shows_is_what_happens(path, program, tmp_path):
    directory = tmp_path / "here"
    directory.mkdir()
    with Terminal(program.path, directory) as terminal:
        wrong = [f"{path}, {problem}" for problem in play(terminal, blocks(path))]
    assert not wrong, "\n\n".join(wrong)


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
