"""The generator of the site as a module, the built program, and the site that it makes, once for all tests."""

import copy
import importlib.machinery
import importlib.util
import sys
from pathlib import Path

import pytest

from simulator import BINARY, ROOT

sys.dont_write_bytecode = True


def load(path):
    loader = importlib.machinery.SourceFileLoader("site_generator", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


generator = load(ROOT / "scripts/site")


@pytest.fixture(scope="session")
def program():
    return generator.Program(Path(BINARY).resolve())


@pytest.fixture(scope="session")
def documents():
    """Every Markdown file of the repository."""
    return {path: generator.Document(path) for path in generator.tracked("*.md")}


@pytest.fixture(scope="session")
def site(program, tmp_path_factory):
    """The directory of the site, made for these tests."""
    directory = tmp_path_factory.mktemp("documentation") / "site"
    quick = copy.copy(program)
    quick.usage = lambda words: f"apnsim {' '.join(words)}"  # the program's own takes a process for each command
    made = generator.Site(quick)
    made.build()
    made.write(directory)
    return directory
