"""Makes the pictures of the page: `screenshots.py DIRECTORY`."""

import itertools
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.append(str(Path(__file__).parent.parent / "Clients"))

import chromium
import control
import simulator as apnsim
import situation

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


def evening(providers):
    """Sends a few orders more, at an uneven pace; returns how many."""
    orders = ["Flat white", "Two espressi", "Filter coffee, large", "Oat cappuccino", "Cortado, decaf"]
    count = next(evening.counts)
    for place in range(count):
        providers.alert(situation.BOB, f"{orders[(count + place) % len(orders)]} for table {place + count}")
        time.sleep(0.04 * (1 + place % 3))
    return count


evening.counts = itertools.cycle([2, 6, 3, 8, 5, 1, 2, 1, 0, 1, 2])


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
        scenario = situation.scenario(files)
        with apnsim.Simulator(certificates, files, record=False, scenario=scenario) as simulator:
            issued = datetime.now(timezone.utc) - timedelta(minutes=34)
            with situation.Providers(simulator, issued.strftime("%Y-%m-%dT%H:%M:%SZ")) as providers:
                hour = int(time.time()) + 3600
                ids = situation.play(providers, hour, between=lambda: evening(providers), isHostile=False)
                _, refused = control.call("GET", f"{simulator.control}/api/v1/notifications/{ids['tooLong']}")
                take(simulator, ids | {"connection": refused["connection"]}, directory)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
