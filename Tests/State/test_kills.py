"""A simulator is killed at random moments under load on both interfaces: what was answered is there again."""

import base64
import datetime
import os
import random
import re
import time

import pytest

import load
from ledger import Ledger
from simulator import PATIENCE, wait_until

KILLS = int(os.environ.get("STATE_KILLS") or 200)
# Notifications in the history: many, and not so many that each snapshot is large.
KEEP = 20_000

# One run each by the real clock and by a virtual one; the second with a compressed recording.
RUNS = {"real": ([], "run.jsonl"), "virtual": (["--clock", "virtual@2026-06-01T00:00:00Z"], "run.jsonl.gz")}


class Checks:
    """What is looked at after each start, before anything else comes in."""

    def __init__(self, simulator, ledger):
        self.simulator, self.ledger = simulator, ledger
        # The last notification that was looked at, and how many there have been.
        self.last, self.seen = None, 0

    def run(self):
        self.state()
        self.history()
        self.stored()
        self.rules()
        self.feedback()
        self.devices()
        self.clock()

    def state(self):
        state = self.simulator.get("/state")
        assert "restored" in state and not state["suspended"] and state["errors"] == 0, state
        assert not self.simulator.get("/connections?open=true")["connections"], "a connection outlived its process"

    def history(self):
        """Every notification that was answered is in the history, each number once."""
        found = self.simulator.pages("/notifications?limit=1000", "notifications", self.last)
        numbers = [int(one["id"][1:]) for one in found]
        first = int(self.last[1:]) + 1 if self.last else 1
        assert numbers == list(range(first, first + len(numbers))), "numbers are missing, or there twice"
        missing = self.ledger.apns_ids - {one["apnsId"].lower() for one in found if one.get("apnsId")}
        assert not missing, f"{len(missing)} requests were answered, and are not there"
        taken = {one["identifier"] for one in found if one["outcome"] not in ("rejected", "discarded")}
        missing = self.ledger.identifiers - taken
        assert not missing, f"{len(missing)} frames were accepted, and are not there"
        self.seen += len(found)
        if found:
            self.last = found[-1]["id"]
        self.ledger.apns_ids.clear()
        self.ledger.identifiers.clear()

    def stored(self):
        """What waits for a device is the last that was answered, or one after it that was on its way."""
        for device in [f"{kind}{number}" for kind in "bh" for number in range(load.DEVICES)]:
            waiting = self.simulator.get(f"/devices/{device}/stored")["notifications"]
            number = waiting[0]["payload"]["n"] if waiting else 0
            assert self.ledger.answered[device] <= number <= self.ledger.sent[device], device

    def rules(self):
        [rule] = self.simulator.get("/faults")["faults"]
        assert self.ledger.counted_answered <= rule["matched"] <= self.ledger.counted_sent, rule

    def feedback(self):
        listed = {one["token"] for one in self.simulator.pages("/feedback?limit=1000", "tuples")}
        missing = self.ledger.listed - self.ledger.perhaps_read - listed
        if missing:
            # Tuples handed to a reader count as read, and the process may have ended before it had sent them.
            self.ledger.perhaps_read |= self.handed_out()
            missing -= self.ledger.perhaps_read
        assert not missing, f"{len(missing)} tuples are gone that nobody read"
        again = self.ledger.read & listed
        assert not again, f"{len(again)} tuples are there again that were read"

    def handed_out(self):
        """The tokens that went to readers whose connections were open at the end of their process."""
        reads = [one for one in self.simulator.pages("/feedback/reads?limit=1000", "reads") if one["tuples"]]
        names = {one["connection"] for one in reads[-20:]}
        closing = {name: self.simulator.get(f"/connections/{name}")["closing"] for name in names}
        return {
            read["token"] for one in reads if closing.get(one["connection"]) == "simulatorKilled"
            for read in one["tuples"]}

    def devices(self):
        there = {one["name"]: one["online"] for one in self.simulator.get("/devices")["devices"]}
        for name, online in self.ledger.devices.items():
            if name not in self.ledger.uncertain:
                assert there.get(name) == online, name
        # Commands on their way have happened or not.
        self.ledger.devices = {name: there.get(name) for name in self.ledger.devices.keys() | self.ledger.uncertain}
        self.ledger.uncertain.clear()
        if self.ledger.phone:
            assert there[self.ledger.phone] is False, "a device is online without a connection"
            shown = self.simulator.pages(f"/devices/{self.ledger.phone}/inbox?limit=1000", "notifications")
            # A notification that has left the history has left the inbox.
            recent = {name for name in self.ledger.received if int(name[1:]) > self.seen - KEEP // 2}
            missing = recent - {one["id"] for one in shown}
            assert not missing, f"{len(missing)} notifications came to the device, and are not in its inbox"

    def clock(self):
        if self.ledger.clock is None:
            return
        now = self.simulator.get("/clock")["now"]
        known = moment(self.ledger.clock)
        later = known + datetime.timedelta(seconds=self.ledger.later or 0)
        assert moment(now) in (known, later), (now, known, later)
        self.ledger.clock, self.ledger.later = now, None


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


@pytest.mark.timeout((2 + KILLS // 50) * PATIENCE)
@pytest.mark.parametrize("run", RUNS)
def test_what_was_answered_survives_kill_9_at_any_moment(keep, tmp_path, seed, run):
    flags, record = RUNS[run]
    rng = random.Random(f"{seed} {run}")
    # A small log: snapshots are taken under load as well.
    simulator = keep(
        tmp_path, "--seed", str(seed), "--state-log", "4MiB", "--keep", str(KEEP), *flags,
        scenario=load.scenario(), record=record)
    ledger = Ledger()
    checks = Checks(simulator, ledger)
    for number in range((KILLS + 1) // 2):
        try:
            if number and rng.random() < 0.2:
                # In the middle of restoring, or just after.
                simulator.spawn()
                time.sleep(rng.uniform(0, 0.3))
                simulator.kill()
            simulator.start()
            if number:
                checks.run()
            workers = load.begin(simulator, ledger, rng, run == "virtual")
            if not number:
                wait_until(lambda: ledger.is_everything_there(20 * KILLS // 2), "something of everything that is sent")
            # The end comes at a moment by chance.
            time.sleep(rng.uniform(0.02, 0.6))
            if rng.random() < 0.1:
                simulator.stop()
            else:
                simulator.kill()
            load.end(workers)
        except AssertionError as error:
            raise AssertionError(f"STATE_SEED={seed}, {run}, after {number} kills: {error}") from error
    simulator.start()
    checks.run()
    simulator.stop()
    simulator.assert_replays_exactly()


def without_system_clock(line):
    """A line without what is of the system's clock: the wall time, and a provider's real time at the end of its evidence."""
    def evidence(match):
        raw = base64.b64decode(match[1])
        return f'"raw":"{base64.b64encode(bytes([1]) + raw[1:-8] if raw[:1] == bytes([3]) else raw).decode()}"'

    return re.sub(r'"raw":"([^"]*)"', evidence, re.sub(r',"wall":"[^"]*"', "", line))


def test_a_run_that_is_killed_is_the_run_that_is_not(keep, tmp_path):
    """The same commands with and without a kill between each two of them: the same journal, but for the header."""
    commands = [
        ("PUT", "/devices/bob", {"apps": ["com.example.app"], "online": False}),
        ("POST", "/notifications", {"to": "bob", "payload": {"aps": {"alert": "1"}}}),
        ("POST", "/clock/advance", {"by": "1h"}),
        ("POST", "/feedback", {"topic": "com.example.app", "token": "fe" * 32, "after": "2h"}),
        ("POST", "/faults", {"name": "third", "when": {"nth": 1}, "reply": "Unregistered", "after": 1, "times": 2}),
        ("POST", "/notifications", {"to": "bob", "payload": {"aps": {"alert": "2"}}}),
        ("POST", "/notifications", {"to": "bob", "payload": {"aps": {"alert": "3"}}}),
        ("POST", "/clock/advance", {"by": "3h"}),
        ("PATCH", "/devices/bob", {"online": True}),
        ("POST", "/notifications", {"to": "bob", "payload": {"aps": {"alert": "4"}}}),
        ("DELETE", "/devices/bob", None),
        ("POST", "/reset", None),
        ("PUT", "/devices/carol", {"apps": ["com.example.app"]}),
        ("POST", "/notifications", {"to": "carol", "payload": {"aps": {"alert": "5"}}}),
    ]
    journals = []
    for kills in (False, True):
        directory = tmp_path / str(kills)
        directory.mkdir()
        simulator = keep(directory, "--seed", "7", "--clock", "virtual@2026-06-01T00:00:00Z")
        simulator.start()
        for method, path, body in commands:
            status, answer = simulator.call(method, path, body)
            assert status < 300, (path, answer)
            if kills:
                simulator.kill()
                simulator.start()
        simulator.stop()
        simulator.assert_replays_exactly()
        # The system's clock is another each time.
        lines = simulator.recording.read_text().splitlines()[1:]
        journals.append([without_system_clock(line) for line in lines])
    assert journals[0] == journals[1]
