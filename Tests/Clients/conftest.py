"""What every test of a real provider starts from."""

import contextlib
import ssl

import pytest

import simulator as apnsim

# The old client libraries need it, and Python 3.12 removed it.
has_wrap_socket = hasattr(ssl, "wrap_socket")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """One set of certificates for all tests: the first simulator makes it, the others reuse it."""
    return tmp_path_factory.mktemp("certs")


@pytest.fixture
def start(certificates, tmp_path):
    """Starts simulators: `simulator = start("--tokens", "known", scenario=...)`; stopped after the test."""
    simulators = []
    with contextlib.ExitStack() as running:
        def start(*flags, **options):
            directory = tmp_path / f"simulator{len(list(tmp_path.glob('simulator*')))}"
            directory.mkdir()
            simulators.append(running.enter_context(apnsim.Simulator(certificates, directory, *flags, **options)))
            return simulators[-1]

        yield start
    # Whatever a real client did is an input like any other.
    for simulator in simulators:
        if simulator.journal_file.exists():
            simulator.assert_replays_exactly()


@pytest.fixture
def simulator(start):
    """One with default settings: any token is a device that is online."""
    return start()


@pytest.fixture(scope="session")
def magic_tokens():
    """Skips the test where the built simulator has no tokens that script themselves."""
    if apnsim.apnsim("tokens", "--json", check=False).returncode != 0:
        pytest.skip("this apnsim has no magic tokens yet (`apnsim tokens --json` failed)")
