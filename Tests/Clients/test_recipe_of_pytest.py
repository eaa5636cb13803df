"""The pytest plugin of recipes/, beside what tests do with processes. Its own tests are run by `make test-recipes`."""

import os
import pathlib
import subprocess
import sys

import simulator as apnsim

RECIPE = pathlib.Path(__file__).parents[2] / "recipes" / "pytest"

FORKING = """
import multiprocessing
import time


def test_a_provider_in_a_process_of_its_own(apnsim):
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(86400,), daemon=True).start()
"""


def test_the_run_ends_while_a_process_that_a_test_has_forked_is_alive(tmp_path):
    (tmp_path / "test_forking.py").write_text(FORKING)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "apnsim", "test_forking.py"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(RECIPE), "APNSIM_BIN": apnsim.BINARY},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=apnsim.PATIENCE)
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout
