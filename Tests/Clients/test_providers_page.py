"""What docs/providers.md tells users of Python is run as it stands there."""

import re
import subprocess
import sys

import pytest

import simulator as apnsim

PAGE = (apnsim.ROOT / "docs/providers.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("library", ["aioapns", "httpx"])
def test_a_configuration_pushes(simulator, library):
    pytest.importorskip(library)
    block, = [block for block in BLOCKS if library in block]
    here = block.replace("2197", str(simulator.http2)).replace("certs/", f"{simulator.certs}/")
    run = subprocess.run(
        [sys.executable, "-c", here], capture_output=True, text=True, timeout=apnsim.PATIENCE)
    assert run.stdout.startswith("200 "), run
    simulator.stop()
    assert [push["outcome"] for push in simulator.events("notification")] == ["delivered"]
