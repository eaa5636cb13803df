"""Reads a Containerfile: the instructions that ours has, in order, with build arguments and variables filled in."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Instruction:
    """One instruction: its name in capitals, and the rest of its line as written, continuations joined."""

    name: str
    text: str
    line: int


@dataclass
class Image:
    """What the instructions make of the image."""

    base: str = ""
    arguments: dict = field(default_factory=dict)
    variables: dict = field(default_factory=dict)
    labels: dict = field(default_factory=dict)
    runs: list = field(default_factory=list)
    # The steps that change files, in their order: ("RUN", text), ("ADD", source, target) and ("COPY", source, target).
    steps: list = field(default_factory=list)
    folder: str = "/"
    volumes: list = field(default_factory=list)
    user: str = ""
    ports: list = field(default_factory=list)
    health: list = field(default_factory=list)
    health_options: dict = field(default_factory=dict)
    stop_signal: str = ""
    entry: list = field(default_factory=list)
    command: list = field(default_factory=list)


def instructions(text):
    """The instructions of a text."""
    found, parts, start = [], [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        start = start or number
        if line.rstrip().endswith("\\"):
            parts.append(line.rstrip()[:-1].strip())
            continue
        name, _, rest = " ".join([*parts, line.strip()]).partition(" ")
        found.append(Instruction(name.upper(), rest.strip(), start))
        parts, start = [], 0
    assert not parts, f"line {start}: the last line goes on"
    return found


def read(path, **arguments):
    """The image that the file at `path` describes, with these build arguments."""
    image = Image()
    for step in instructions(Path(path).read_text()):
        known = image.arguments | image.variables

        def filled(text):
            def value(match):
                name = match[1] or match[2]
                assert name in known, f"line {step.line}: ${name} is declared nowhere above"
                return known[name]
            return re.sub(r"\$\{(\w+)\}|\$(\w+)", value, text)

        def pairs():
            return dict(part.split("=", 1) for part in shlex.split(filled(step.text)))

        def words(text):
            words = json.loads(text)
            assert isinstance(words, list) and words and all(isinstance(word, str) for word in words)
            return words

        match step.name:
            case "FROM":
                image.base = step.text
            case "ARG":
                name, _, usual = step.text.partition("=")
                image.arguments[name] = arguments.get(name, usual)
            case "ENV":
                image.variables |= pairs()
            case "LABEL":
                image.labels |= pairs()
            case "RUN":
                image.runs.append(filled(step.text))
                image.steps.append(("RUN", image.runs[-1]))
            case "ADD" | "COPY":
                source, target = filled(step.text).split()
                image.steps.append((step.name, source, target))
            case "WORKDIR":
                image.folder = filled(step.text)
            case "VOLUME":
                image.volumes += words(step.text)
            case "USER":
                image.user = step.text
            case "EXPOSE":
                image.ports += [int(port) for port in step.text.split()]
            case "HEALTHCHECK":
                options, command = step.text.split(" CMD ", 1)
                image.health_options = dict(part.removeprefix("--").split("=", 1) for part in options.split())
                # In the form of a list: the image's health needs no shell.
                image.health = words(command)
            case "STOPSIGNAL":
                image.stop_signal = step.text
            case "ENTRYPOINT":
                image.entry = words(step.text)
            case "CMD":
                image.command = words(step.text)
            case _:
                raise AssertionError(f"line {step.line}: {step.name} is not known here")
    return image
