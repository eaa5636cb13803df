"""By keyboard alone, on a phone, in both schemes, and what axe finds."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import control
import situation
from conftest import stop_time
from situation import BOB, Providers

PHONE = {"width": 390, "height": 844}


def panes(page):
    """The addresses of the panes that are in the navigation."""
    return page.locator("nav a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")


def settle(page):
    expect(page.locator(".live")).to_contain_text("Live")
    expect(page.locator("main")).not_to_be_empty()


def serious(page, *rules):
    """What axe finds, by these rules or all."""
    found = Axe().run(page, options={"runOnly": list(rules)} if rules else None).response["violations"]
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_pane_opens_and_axe_finds_nothing_serious(played, visit, scheme):
    # Axe is put into the page as a script, which the page's policy would not let in.
    page = visit(played, color_scheme=scheme, bypass_csp=True)
    settle(page)
    paths = panes(page)
    assert "/connections" in paths
    found = {}
    details = [f"/notifications/{played.ids[name]}{part}" for name, part in [("order", ""), ("tooLong", "#frame"), ("undecodable", "#payload")]]
    for path in [*paths, *details, "/connections/c2"]:
        page.goto(played.control + path)
        settle(page)
        if path in paths:
            expect(page.locator("nav a[aria-current]")).to_have_attribute("href", path)
        # Only colours differ in the dark.
        if complaints := serious(page, *(["color-contrast", "link-in-text-block"] if scheme == "dark" else [])):
            found[path] = complaints
    assert not found, found


def test_axe_finds_nothing_serious_on_a_phone(played, visit):
    page = visit(played, f"/notifications/{played.ids['order']}", viewport=PHONE, bypass_csp=True)
    settle(page)
    assert not serious(page)


@pytest.mark.parametrize("rank, family", [("sans", "DejaVu Sans"), ("mono", "DejaVu Sans Mono")])
def test_the_page_is_looked_at_in_the_font_that_the_tests_bring(played, visit, rank, family):
    page = visit(played)
    settle(page)
    page.evaluate("(rank) => { document.body.style.fontFamily = `var(--${rank})`; document.body.prepend('Aa'); }", rank)
    session = page.context.new_cdp_session(page)
    for domain in ["DOM", "CSS"]:
        session.send(f"{domain}.enable")
    body = session.send("DOM.querySelector", {"nodeId": session.send("DOM.getDocument")["root"]["nodeId"], "selector": "body"})
    fonts = session.send("CSS.getPlatformFontsForNode", body)["fonts"]
    assert family in {font["familyName"] for font in fonts} <= {"DejaVu Sans", "DejaVu Sans Mono"}, fonts


def test_everything_can_be_done_by_keyboard(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        for text in ["one", "two", "three"]:
            providers.alert(BOB, text)
        page = visit(simulator)
        expect(page.locator("[role=row][data-id]:visible")).to_have_count(3)
        press = page.keyboard.press
        press("j")
        press("j")
        press("Enter")
        expect(page).to_have_url(re.compile("/notifications/n2"))
        press("k")
        expect(page).to_have_url(re.compile("/notifications/n3"))
        expect(page.locator(".ids")).to_contain_text("n3")
        press("c")
        expect(page.get_by_role("button", name="curl", exact=True)).to_be_visible()
        press("Escape")
        expect(page.get_by_role("button", name="curl", exact=True)).to_be_hidden()
        expect(page.get_by_role("heading", name="Delivered to bob")).to_be_visible()
        press("Escape")
        expect(page.get_by_role("heading", name="Delivered to bob")).to_be_hidden()
        press("/")
        page.keyboard.type("alert:two")
        expect(page.locator("[role=row][data-id]:visible")).to_have_count(1)
        press("Escape")
        press("Escape")
        # A letter soon after a "g" is a place.
        stop_time(page)
        press("g")
        press("c")
        page.clock.resume()
        expect(page).to_have_url(re.compile("/connections$"))
        press("?")
        expect(page.get_by_role("dialog")).to_be_visible()


def test_tab_reaches_the_panes_the_list_and_the_detail_and_focus_is_seen(played, visit):
    page = visit(played, f"/notifications/{played.ids['order']}")
    expect(page.get_by_role("heading", name="Delivered to bob")).to_be_visible()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        place = page.evaluate("""() => {
          const one = document.activeElement;
          // A field in a frame has its ring around the frame.
          const has = (element) => getComputedStyle(element).outlineStyle !== 'none' && parseFloat(getComputedStyle(element).outlineWidth) >= 1;
          const isSeen = has(one) || (one.matches('input') && has(one.parentElement));
          const region = one.closest('nav, .list, .detail, .shown, header')?.className || one.closest('nav, header')?.tagName || '';
          return [region, isSeen, one.outerHTML.slice(0, 100)];
        }""")
        seen.add(place[0].split()[0] if place[0] else "")
        assert place[1] or "skip" in place[2] or "<body" in place[2], place
    assert {"panes", "list", "detail", "shown"} <= seen, seen


@pytest.mark.parametrize("path", ["/", "/notifications/{order}", "/notifications/{tooLong}#frame", "/connections", "/connections/c2"])
def test_nothing_scrolls_sideways_on_a_phone(played, visit, path):
    page = visit(played, path.format(**played.ids), viewport={"width": 320, "height": 700})
    settle(page)
    wide = page.evaluate("""() => [...document.querySelectorAll('body, main, main *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
        && one.clientWidth > 0 && !one.closest('pre'))
      .map((one) => `${one.className}: ${one.scrollWidth} in ${one.clientWidth}`)""")
    assert not wide, wide
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_motion_can_be_turned_off(played, visit):
    page = visit(played, f"/notifications/{played.ids['order']}", reduced_motion="reduce")
    settle(page)
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("width", [320, 390, 800])
def test_a_narrow_bar_has_room_for_a_staged_clock_and_a_fault(start, visit, tmp_path, width):
    simulator = start(scenario=situation.scenario(tmp_path / "simulator0", clock="2012-06-01T14:03:02Z"))
    control.call("POST", f"{simulator.control}/api/v1/faults", {"when": {"interface": "http2"}, "fault": "close"})
    page = visit(simulator, viewport={"width": width, "height": 844})
    settle(page)
    expect(page.locator(".top .faults")).to_contain_text("1 fault on")
    expect(page.locator(".top .time-chip")).to_contain_text("14:03:02")
    places = page.locator(".top > :visible:not(.grow)").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, top, right, bottom])")
    assert len(places) >= 5
    for index, (left, top, right, bottom) in enumerate(places):
        assert left >= 0 and right <= width
        for other in places[index + 1:]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top, "parts of the bar cover each other"
    assert places[0][1] < page.locator("main").bounding_box()["y"]
