"""What every test of the image starts from: its root, laid out once."""

import contextlib
import os

import pytest

import image


@pytest.fixture(scope="session")
def layout(tmp_path_factory):
    """The image, laid out; skips loudly where no namespaces may be made."""
    unshare, reason = image.namespaces()
    if unshare is None:
        pytest.skip(f"THE IMAGE IS NOT TESTED: this system allows no namespaces ({reason})")
    return image.Layout(unshare, tmp_path_factory.mktemp("image"))


@pytest.fixture
def running():
    """Ends the containers that a test enters into it."""
    with contextlib.ExitStack() as containers:
        yield containers


@pytest.fixture(scope="session")
def certified(layout, healthy):
    """Makes volumes that have certificates already, as after an earlier start: making keys takes a second."""
    made = layout.folder / "shared-volume/certs"

    def volume(name):
        place = layout.volume(name)
        for file in made.iterdir():
            copy = place / "certs" / file.name
            copy.write_bytes(file.read_bytes())
            copy.chmod(file.stat().st_mode & 0o777)
            os.chown(copy, file.stat().st_uid, file.stat().st_gid)
        return place
    return volume


@pytest.fixture(scope="session")
def healthy(layout):
    """One container that serves without arguments, for tests that only look at it."""
    with layout.run(volume=layout.volume("shared-volume"), APNSIM_SERVER_NAME=image.NAMES) as container:
        yield container.wait_until_healthy()
