"""A browser, simulators with something in them, and pages that may do nothing unseen."""

import contextlib
import datetime
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

import chromium
import simulator as apnsim
import situation

PATIENCE = 1_000 * apnsim.PATIENCE  # milliseconds that the page may take for anything

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser():
    if not chromium.PATH:
        pytest.skip("there is no chromium")
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """One set of certificates for all tests."""
    return tmp_path_factory.mktemp("certs")


@pytest.fixture
def start(certificates, tmp_path):
    """Starts simulators: `simulator = start(scenario=...)`; stopped after the test."""
    with contextlib.ExitStack() as running:
        def start(*flags, **options):
            directory = tmp_path / f"simulator{len(list(tmp_path.glob('simulator*')))}"
            directory.mkdir()
            options = {"record": False, "scenario": situation.scenario(directory)} | options
            return running.enter_context(apnsim.Simulator(certificates, directory, *flags, **options))

        yield start


@pytest.fixture(scope="session")
def played(certificates, tmp_path_factory):
    """A simulator that has everything in it, for tests that only look; with `ids` and `providers`."""
    directory = tmp_path_factory.mktemp("played")
    with apnsim.Simulator(certificates, directory, record=False, scenario=situation.scenario(directory)) as simulator:
        with situation.Providers(simulator) as providers:
            simulator.providers, simulator.ids = providers, situation.play(providers)
            yield simulator


def stop_time(page):
    """From here on no time goes by in the page, but what `page.clock.run_for` gives it, until `page.clock.resume`."""
    page.clock.install()
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(hours=1))


class Visit:
    """Pages of one test. What they ask for and complain about is kept, and looked at when the test is over."""

    def __init__(self, browser):
        self.browser, self.contexts = browser, []
        self.asked, self.complaints = [], []
        self.expected = []

    def open(self, simulator, path="/", **options):
        """A page of the simulator in a profile of its own."""
        viewport = options.pop("viewport", {"width": 1440, "height": 1000})
        context = self.browser.new_context(viewport=viewport, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: message.type in ("error", "warning") and self.complain(message))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(simulator.control + path)
        return page

    def complain(self, message):
        self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def check(self, simulators):
        ports = {urlsplit(simulator.control).netloc for simulator in simulators}
        foreign = [url for url in self.asked if urlsplit(url).netloc not in ports and not url.startswith(("data:", "blob:"))]
        assert not foreign, f"the page asked others than the control port: {foreign}"
        complaints = [one for one in self.complaints if not any(expected in one for expected in self.expected)]
        assert not complaints, f"the console has complaints: {complaints}"


@pytest.fixture
def visit(browser):
    """Opens pages: `page = visit(simulator, "/notifications/n1")`. No request may leave the control port, and the console
    may have no complaint but those that have the text that `visit.disturbed` was told."""
    visit, simulators = Visit(browser), set()

    def open(simulator, path="/", **options):
        simulators.add(simulator)
        return visit.open(simulator, path, **options)

    def disturbed(*texts):
        visit.expected += texts

    open.disturbed = disturbed
    yield open
    for context in visit.contexts:
        context.close()
    visit.check(simulators)
