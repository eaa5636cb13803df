"""The reference of scenarios names every key that the program knows, which it lists where it finds an unknown one."""

import re
import subprocess

import pytest

from conftest import ROOT

REFERENCE = (ROOT / "fixtures/scenarios/README.md").read_text()

# Scenarios with an unknown key in every kind of mapping; a file shows at most twenty mistakes.
PROBES = {
    "situation": """
zzz: 1
clock: { zzz: 1 }
apps: { com.example.app: { zzz: 1, activities: { A: { zzz: 1 } } } }
devices: { bob: { zzz: 1 }, alice: { apps: [{ topic: com.example.app, zzz: 1 }] } }
channels: [{ app: com.example.app, zzz: 1 }]
activities: [{ device: bob, zzz: 1 }]
feedback: [{ device: bob, app: com.example.app, after: 1h, zzz: 1 }]
""",
    "rules": """
rules:
  - { zzz: 1, proceed: true }
  - { when: { zzz: 1 }, fault: zzz }
  - { state: { zzz: 1 }, reply: { zzz: 1 } }
  - { when: { topic: { zzz: 1 } }, proceed: true }
faults: [{ zzz: 1, fault: swallow }]
""",
    "faults": """
rules:
  - { fault: { goaway: { zzz: 1 } } }
  - { fault: { unavailable: { zzz: 1 } } }
  - { fault: { shutdown: { zzz: 1 } } }
  - { fault: { resetStream: { zzz: 1 } } }
  - { fault: { slice: { zzz: 1 } } }
  - { fault: { slowAnswer: { zzz: 1 } } }
  - { fault: { lateUnregistered: { zzz: 1 } } }
  - { fault: { unanswered: { zzz: 1 } } }
  - { fault: { jitter: { zzz: 1 } } }
  - { fault: { close: { zzz: 1 } } }
  - { fault: { refuseHandshake: { zzz: 1 } } }
  - { fault: { refuseHandshake: zzz } }
""",
    "traffic": """
apps: { com.example.app: {} }
devices: { bob: { apps: [com.example.app] } }
traffic:
  - { connection: a, zzz: 1, end: true }
  - { connection: b, send: [{ to: bob, zzz: 1 }] }
  - { connection: c, push: [{ to: bob, zzz: 1 }] }
  - { connection: d, push: [{ to: bob }], jwt: { zzz: 1 } }
  - { connection: e, certificate: zzz, end: true }
""",
    "expectations": """
apps: { com.example.app: {} }
devices: { bob: { apps: [com.example.app] } }
timeline:
  - { at: 1s, do: { zzz: 1 } }
  - { at: 1s, zzz: 1, do: { device.online: bob } }
expect:
  - { zzz: 1 }
  - { connection: a, accepted: 1, zzz: 1 }
  - { device: bob, stored: 1, zzz: 1 }
  - { device: bob, inbox: { zzz: 1 } }
  - { where: { zzz: 1 } }
  - { where: { topic: x }, count: { zzz: 1 } }
  - { error: { zzz: 1 } }
  - { feedback: { zzz: 1 }, count: 1 }
""",
}


@pytest.mark.parametrize("probe", PROBES)
def test_every_key_that_the_program_knows_is_in_the_reference(probe, program, tmp_path):
    file = tmp_path / "probe.yaml"
    file.write_text("version: 1\nname: probe" + PROBES[probe])
    checked = subprocess.run([program.path, "scenario", "check", str(file)], capture_output=True, text=True, timeout=30)
    said = checked.stdout + checked.stderr
    lists = re.findall(r"(?:unknown|expected)[^\n]*?zzz[^\n]*?; known [\w ]+: ([^\n]+)", said)
    assert checked.returncode == 78 and "more errors" not in said and lists, said
    known = {name for names in lists for name in re.split(r", | and ", names)}
    missing = sorted(name for name in known if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", REFERENCE))
    assert not missing, f"{missing}\n{said}"
