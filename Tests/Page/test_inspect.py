"""A recording in the page: last night's incident, to be looked at and not to be touched."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

import control
import simulator as apnsim
import situation


class Inspected:
    """`apnsim inspect` of recordings, as a page is opened on it."""

    def __init__(self, *files):
        command = [apnsim.BINARY, "inspect", *map(str, files)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = ""
        while not (found := re.search(r"http://\S+?(?=/?\s)", said)):
            line = self.process.stdout.readline()
            assert line, f"it ended without an address:\n{said}"
            said += line
        self.control = found[0]

    def stop(self):
        self.process.terminate()
        self.process.wait(apnsim.PATIENCE)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def inspected(certificates, tmp_path_factory):
    directory = tmp_path_factory.mktemp("recorded")
    with apnsim.Simulator(certificates, directory, scenario=situation.scenario(directory)) as simulator:
        with situation.Providers(simulator) as providers:
            ids = situation.play(providers)
    inspected = Inspected(simulator.journal_file)
    inspected.ids = ids
    yield inspected
    inspected.stop()


def test_a_recording_shows_what_the_running_program_showed(inspected, visit):
    page = visit(inspected)
    rows = page.locator("[role=row][data-id]:visible")
    expect(rows).to_have_count(19)
    expect(rows.first).to_contain_text("Order 1042 is ready")
    page.goto(f"{inspected.control}/notifications/{inspected.ids['tooLong']}")
    expect(page.get_by_role("heading", name="Rejected: 7 Invalid payload size")).to_be_visible()
    page.goto(f"{inspected.control}/notifications/{inspected.ids['order']}")
    expect(page.locator(".phone .card")).to_contain_text("Your flat white is on the counter")


def test_a_recording_cannot_be_changed(inspected, visit):
    page = visit(inspected)
    expect(page.get_by_text("Read only")).to_be_visible()
    assert page.get_by_role("button", name="Clear…").count() == 0
    assert page.get_by_role("navigation").get_by_text("Faults").count() == 0
    for method, path in [("DELETE", "notifications"), ("POST", "reset"), ("POST", "clock/advance")]:
        assert control.call(method, f"{inspected.control}/api/v1/{path}", {"by": "1s"})[0] >= 400


def test_a_recording_is_not_live_and_asks_for_nothing_that_it_does_not_have(inspected, visit):
    page = visit(inspected)
    failed = []
    page.on("response", lambda answer: answer.status >= 400 and failed.append(answer.url))
    expect(page.locator("[role=row][data-id]:visible")).to_have_count(19)
    expect(page.locator(".top .live")).to_have_text("Recording")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    page.keyboard.press("p")
    page.locator(".top .live").click()
    expect(page.locator(".top .live")).to_have_text("Recording")
    for name, heading in [("order", "Delivered to bob"), ("tooLong", "Rejected: 7 Invalid payload size")]:
        page.goto(f"{inspected.control}/notifications/{inspected.ids[name]}")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.goto(f"{inspected.control}/capture")
    expect(page.get_by_text("apnsim replay capture.jsonl.gz")).to_be_visible()
    assert page.get_by_text("apnsim record").count() == 0
    assert not failed


def test_a_page_that_is_read_only_is_live_while_its_program_runs(start, visit):
    page = visit(start("--page", "read-only"))
    expect(page.get_by_text("Nothing has arrived yet")).to_be_visible()
    expect(page.locator(".top .live")).to_contain_text("Live")
