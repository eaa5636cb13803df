"""What holds for each suite in Python."""

import pytest

from simulator import PATIENCE


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Ends a test that hangs where no wait has a limit of its own, and shows where it was."""
    if config.option.timeout is None:
        config.option.timeout = 2 * PATIENCE
