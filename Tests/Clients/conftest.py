"""What every test of a real provider starts from."""

import concurrent.futures
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


class Replays:
    """The recordings of the tests, each replayed by itself while the next tests wait for their clients."""

    def __init__(self):
        # One at a time: there is somebody else on each core.
        self.pool, self.recordings = concurrent.futures.ThreadPoolExecutor(1), []

    def add(self, test, simulator):
        self.recordings.append((test, self.pool.submit(simulator.assert_replays_exactly)))

    def differences(self):
        """What is wrong with each recording that does not replay, and the test that made it."""
        failures = [(test, replay.exception()) for test, replay in self.recordings]
        return "\n\n".join(f"the recording of {test}: {failure}" for test, failure in failures if failure)


@pytest.fixture(scope="session")
def replays():
    """Whatever a real client did is an input like any other: at the end, each recording has replayed to itself."""
    replays = Replays()
    yield replays
    if differences := replays.differences():
        pytest.fail(differences, pytrace=False)


@pytest.fixture
def start(request, certificates, tmp_path, replays):
    """Starts simulators: `simulator = start("--tokens", "known", scenario=...)`; stopped after the test."""
    simulators = []
    with contextlib.ExitStack() as running:
        def start(*flags, **options):
            directory = tmp_path / f"simulator{len(list(tmp_path.glob('simulator*')))}"
            directory.mkdir()
            simulators.append(running.enter_context(apnsim.Simulator(certificates, directory, *flags, **options)))
            return simulators[-1]

        yield start
    for simulator in simulators:
        if simulator.journal_file.exists():
            replays.add(request.node.nodeid, simulator)


@pytest.fixture
def simulator(start):
    """One with default settings: any token is a device that is online."""
    return start()


@pytest.fixture(scope="session")
def document():
    """The OpenAPI document, as the program has it."""
    return apnsim.api_document()


@pytest.fixture(scope="session")
def magic_tokens():
    """Skips the test where the built simulator has no tokens that script themselves."""
    if apnsim.apnsim("tokens", "--json", check=False).returncode != 0:
        pytest.skip("this apnsim has no magic tokens yet (`apnsim tokens --json` failed)")
