"""Connections, what they cost, and what happened on them."""

import re
import ssl

import httpx
import pytest
from playwright.sync_api import expect

import control
import simulator as apnsim
from situation import BOB, Providers


def connection(played, name="tooLong"):
    return control.call("GET", f"{played.control}/api/v1/notifications/{played.ids[name]}")[1]["connection"]


def test_every_connection_is_listed_with_how_it_ended(played, visit):
    page = visit(played, "/connections")
    expect(page.get_by_role("link", name=re.compile("7 Invalid payload size, 3 discarded"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("HTTP.2 · open"))).to_be_visible()


def test_a_refused_handshake_is_listed_with_its_reason(start, visit):
    simulator = start()
    page = visit(simulator, "/connections")
    expect(page.get_by_text("No connections yet")).to_be_visible()
    context = ssl.create_default_context()  # It does not know the simulator's CA.
    with simulator.connect_plain(simulator.gateway) as plain:
        try:
            context.wrap_socket(plain, server_hostname="localhost")
        except ssl.SSLError:
            pass
    expect(page.locator(".refusal")).to_contain_text("ca.pem")


def test_the_story_has_the_cost_and_each_thing_that_was_said(played, visit):
    page = visit(played, f"/connections/{connection(played)}")
    cost = page.locator(".cost")
    for words in ["2accepted", "1rejected", "1sent again", "2not sent again yet"]:
        expect(cost).to_contain_text(words)
    story = page.locator(".story")
    expect(story).to_contain_text("TLS handshake")
    expect(story.locator(".service.bad")).to_have_count(1)
    expect(story.locator(".unread").filter(has_text="000004ad")).to_have_count(1)
    expect(story).to_contain_text("sent again")


def test_a_folded_run_opens_in_place(played, visit):
    page = visit(played, f"/connections/{connection(played)}")
    run = page.get_by_role("button", name=re.compile(r"^n\d+ to n\d+$")).first
    run.click()
    expect(run).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".run:visible a").first).to_have_text(re.compile(r"^n\d+$"))


def test_the_lost_identifiers_can_be_copied(played, visit):
    page = visit(played, f"/connections/{connection(played)}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the 2 lost identifiers").click()
    expect(page.get_by_role("status")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "000004ae\n000004af"


def test_its_notifications_are_a_query_away(played, visit):
    page = visit(played, f"/connections/{connection(played)}")
    page.get_by_role("link", name="Show its 6 notifications").click()
    expect(page.locator("[role=row][data-id]:visible")).to_have_count(6)


def test_a_connection_can_be_ended(start, visit):
    simulator = start()
    with Providers(simulator) as providers, providers.gateway() as gateway:
        page = visit(simulator, "/connections")
        page.get_by_role("link", name=re.compile("^c1 ")).click()
        page.get_by_role("button", name="End it").click()
        page.get_by_role("button", name=re.compile("^FIN")).click()
        assert apnsim.read_to_end(gateway) == b""
        gateway.close()
        expect(page.locator(".connections a").first).to_contain_text("closed by the service")


def test_the_story_grows_while_it_is_watched(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
        page = visit(simulator, "/connections/c1")
        expect(page.locator(".cost")).to_contain_text("1accepted")
        providers.alert(BOB, "two")
        expect(page.locator(".cost")).to_contain_text("2accepted")


def test_a_module_that_comes_late_is_not_shown_at_an_address_that_was_left(played, visit):
    page = visit(played)
    expect(page.get_by_role("grid")).to_be_visible()
    held = []
    page.route("**/panes/connections.js", lambda route: held.append(route))
    for id in ["c1", "c2"]:
        page.evaluate("(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }", f"/connections/{id}")
    apnsim.wait_until(lambda: page.wait_for_timeout(20) or held, "the module that is asked for")
    held[0].continue_()
    expect(page.locator(".detail .ids")).to_contain_text("c2")
    expect(page.locator(".connections a").first).to_be_visible()
    expect(page.locator(".detail-bar").get_by_role("button", name=re.compile("Close"))).to_be_visible()
    expect(page.locator(".detail h1")).to_have_count(1)


def test_a_request_without_an_answer_is_counted_once_and_nothing_points_back(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "none")
        control.call("POST", f"{simulator.control}/api/v1/faults", {"when": {"interface": "http2"}, "fault": "close", "times": 1})
        with pytest.raises(httpx.HTTPError):
            providers.push(BOB, {"aps": {"alert": "one"}})
        page = visit(simulator, "/connections/c1")
        expect(page.locator(".cost li")).to_have_text(["1accepted", "1unanswered, not sent again yet"])
        expect(page.locator(".story .step.provider.unread")).to_have_count(1)
        fault = page.locator(".story .step.fault")
        expect(fault).to_contain_text("close")
        expect(fault.locator(".arrow")).to_have_count(0)
        expect(page.locator(".connections a").first).to_contain_text("1 not accepted")
