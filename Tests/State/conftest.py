"""What every test of a kept state starts from."""

import contextlib
import os
import secrets

import pytest

import kept

# Random choices of a run follow from its seed, but for when processes and threads get their turn.
SEED = int(os.environ.get("STATE_SEED") or secrets.randbelow(2**32))


def pytest_report_header():
    return f"STATE_SEED={SEED}"


@pytest.fixture
def seed():
    return SEED


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """One set of certificates for all tests."""
    return tmp_path_factory.mktemp("certs")


@pytest.fixture
def keep(certificates):
    """Makes simulators with a state: `simulator = keep(directory, "--clock", "virtual")`; killed after the test."""
    with contextlib.ExitStack() as running:
        def keep(directory, *flags, **options):
            simulator = kept.Kept(certificates, directory, *flags, **options)
            running.callback(simulator.kill)
            return simulator

        yield keep
