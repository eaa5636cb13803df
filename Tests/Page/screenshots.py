"""Makes the pictures of the page: `screenshots.py DIRECTORY`. The clock stands where it is put, so they come out the same."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.append(str(Path(__file__).parent.parent / "Clients"))

import chromium
import control
import simulator as apnsim
import situation

START, TOKEN, EXPIRY = "2026-11-25T14:03:02Z", "2026-11-25T13:51:20Z", 1795619251
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}

# Each picture: its name, the address, the scheme, the window.
PICTURES = [
    ("list", "/", "light", WIDE),
    ("notification", "/notifications/{order}", "light", WIDE),
    ("frame", "/notifications/{tooLong}#frame", "dark", WIDE),
    ("connection", "/connections/{connection}", "light", WIDE),
    ("activity", "/notifications/{undecodable}#payload", "light", WIDE),
    ("phone", "/notifications/{order}", "dark", PHONE),
]


def advance(simulator, span):
    assert control.call("POST", f"{simulator.control}/api/v1/clock/advance", {"by": span})[0] == 200


def take(simulator, ids, directory):
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for name, path, scheme, window in PICTURES:
            context = browser.new_context(viewport=window, color_scheme=scheme, reduced_motion="reduce")
            page = context.new_page()
            page.goto(simulator.control + path.format(**ids))
            expect(page.locator(".live")).to_contain_text("Live")
            page.wait_for_load_state("load")
            page.wait_for_timeout(1_000)  # A picture has no event to wait for: the strip and the figures come when they come.
            page.screenshot(path=directory / f"{name}.png")
            context.close()
        browser.close()


def main(directory):
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        certificates, files = Path(scratch) / "certs", Path(scratch) / "files"
        certificates.mkdir()
        files.mkdir()
        scenario = situation.scenario(files, clock=START)
        with apnsim.Simulator(certificates, files, record=False, scenario=scenario) as simulator:
            with situation.Providers(simulator, TOKEN) as providers:
                ids = situation.play(providers, EXPIRY, tick=lambda: advance(simulator, "17s"))
                _, refused = control.call("GET", f"{simulator.control}/api/v1/notifications/{ids['tooLong']}")
                take(simulator, ids | {"connection": refused["connection"]}, directory)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
