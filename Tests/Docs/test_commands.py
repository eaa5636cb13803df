"""Every command line that a document shows is one that the program would read."""

import re

import pytest

from shell import commands, invocations

# Flags of other programs that documents name by themselves.
ELSEWHERE = {"--volume", "--http2", "--parallel-max", "--processes"}

# Flags that every program of its kind has and none describes.
BUILT_IN = {"--generate-completion-script", "--experimental-dump-help"}

# A word that a document writes in the place of something.
PLACEHOLDER = re.compile(r"^\[?(…|\.\.\.|[A-Z][A-Z0-9_.-]*…?|\$.*|<.*>)\]?$")


def mistake(program, words):
    """None where the program describes such a command line; else what it does not know."""
    command, path, rest = program.root, [], list(words)
    while subcommands := {one["commandName"]: one for one in command.get("subcommands", [])}:
        if rest and rest[0] in subcommands:
            path.append(rest[0])
            command = subcommands[rest.pop(0)]
        elif rest and not rest[0].startswith("-") and not PLACEHOLDER.match(rest[0]):
            return f"no command {' '.join([*path, rest[0]])}"
        elif rest and command.get("defaultSubcommand") and rest[0] not in flags(command) and not PLACEHOLDER.match(rest[0]):
            command = subcommands[command["defaultSubcommand"]]
        else:
            break
    return mistaken_argument(command, rest) and f"{' '.join(['apnsim', *path])}: {mistaken_argument(command, rest)}"


def flags(command):
    return {
        ("--" if name["kind"] == "long" else "-") + name["name"]: argument
        for argument in command["arguments"] for name in argument.get("names", [])}


def mistaken_argument(command, rest):
    known, at, places = flags(command), 0, 0
    positional = [argument for argument in command["arguments"] if argument["kind"] == "positional"]
    while at < len(rest):
        word = rest[at]
        at += 1
        if word == "--":
            return None  # what follows is somebody else's
        name, equals, value = word.partition("=")
        if word.startswith("-") and word != "-" and not word[1:2].isdigit():
            if name in BUILT_IN:
                return None
            if name not in known:
                return f"no flag {name}"
            argument = known[name]
            if argument["kind"] == "flag" or equals:
                continue
            many = argument["parsingStrategy"] == "upToNextOption"
            first = at
            while at < len(rest) and (many or at == first) and not rest[at].startswith("--"):
                value = rest[at]
                values = argument.get("allValues")
                if values and not PLACEHOLDER.match(value) and value not in values:
                    return f"{name} is one of {', '.join(values)}, not {value}"
                at += 1
        else:
            places += 1
            if positional == [] or places > len(positional) and not positional[-1].get("isRepeating"):
                return f"nothing takes {word}" if not PLACEHOLDER.match(word) else None
    return None


def lines(document):
    """The lines of shell that a document shows, each with the line of its block."""
    for language, _, text, line in document.code():
        if language is None:
            if re.match(r"(\S*/)?apnsim ", text):
                yield re.sub(r"\[(--[^\]]*)\]", r"\1", text), line
        elif language in ("console", "sh", "shell", "bash", ""):
            for row in text.replace("\\\n", " ").split("\n"):
                if row.startswith("$ ") or language in ("sh", "shell", "bash"):
                    yield row.removeprefix("$ "), line


def test_every_command_line_of_the_documents_is_one_of_the_program(documents, program):
    wrong, seen = [], 0
    for path, document in documents.items():
        for text, line in lines(document):
            for words in commands(text):
                for arguments in invocations(words):
                    seen += 1
                    if found := mistake(program, arguments):
                        wrong.append(f"{path}:{line}: {text}\n    {found}")
    assert not wrong, "\n".join(wrong)
    assert seen > 150


def test_every_flag_that_the_documents_name_is_one_of_the_program(documents, program):
    known = {flag for _, command in program.commands() for flag in flags(command)} | set(flags(program.root))
    wrong = []
    for path, document in documents.items():
        for language, _, text, line in document.code():
            if language is None and (found := re.match(r"--[a-z0-9][a-z0-9-]*", text)):
                if found.group() not in known | ELSEWHERE:
                    wrong.append(f"{path}:{line}: {text}")
    assert not wrong, "\n".join(wrong)


def test_every_example_in_the_help_is_a_command_line(program):
    wrong = []
    for path, command in program.commands():
        for row in command.get("discussion", "").split("\n"):
            if row.startswith("apnsim "):
                for words in commands(row):
                    wrong += [f"{row}: {found}" for one in invocations(words) if (found := mistake(program, one))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("line", [
    "apnsim serv", "apnsim send --demoo", "apnsim send x --to y --api http3", "apnsim device lend bob",
    "apnsim reset now", "curl $(apnsim certs jot)", "PORT=1 apnsim exec --n -- sh", "apnsim exec -- apnsim wate"])
def test_a_mistaken_command_line_is_found(program, line):
    assert any(mistake(program, one) for words in commands(line) for one in invocations(words))
