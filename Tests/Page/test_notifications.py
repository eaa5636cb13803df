"""The list of notifications, as somebody sees it who looks while providers push."""

import os
import re
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect

import control
import simulator as apnsim
import situation
from conftest import stop_time
from frames import enhanced
from situation import BOB, CAROL, COFFEE, Providers


def rows(page):
    return page.locator("[role=row][data-id]:visible")


def newest(page):
    return rows(page).first


def test_the_first_list_is_small_and_asks_for_nothing_that_it_does_not_show(played, browser):
    context = browser.new_context()
    page = context.new_page()
    answers = {}
    page.on("response", lambda answer: answers.setdefault(urlsplit(answer.url).path, answer))
    page.goto(played.control + "/")
    expect(newest(page)).to_be_visible()
    page.wait_for_load_state("load")
    assert "/api/v1/openapi.json" not in answers
    # The page's files, as they are served; the data depends on what was sent.
    sizes = {path: len(answer.body()) for path, answer in list(answers.items()) if path == "/" or path.startswith("/page/")}
    context.close()
    assert {"/", "/page/page.css", "/page/page.js", "/page/panes/notifications.js"} <= set(sizes)
    assert sum(sizes.values()) <= 150_000, sizes


def test_a_pane_is_seen_with_its_style_only(played, visit):
    page = visit(played)
    assert page.locator("link[rel=stylesheet]").count() == 2
    held = []
    page.route("**/page/phone.css", lambda route: held.append(route))
    rows(page).first.click()
    apnsim.wait_until(lambda: page.wait_for_timeout(20) or held, "the sheet that is asked for")
    expect(page.locator(".detail h1")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".detail h1")).to_be_visible()
    order = page.locator("link[rel=stylesheet]").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert order == [f"/page/{name}.css" for name in ["page", "panes", "detail", "hex", "phone"]]


def test_what_arrives_shows_without_asking_again(start, visit):
    simulator = start()
    page = visit(simulator)
    expect(page.get_by_text("Nothing has arrived yet")).to_be_visible()
    with Providers(simulator) as providers:
        providers.alert(BOB, "Two espressi")
        expect(newest(page)).to_contain_text("Two espressi")
        expect(newest(page)).to_contain_text("Delivered")
        providers.push(CAROL, {"aps": {"alert": "One cortado"}})
        expect(newest(page)).to_contain_text("410 Unregistered")


def test_a_stored_notification_changes_in_its_place_when_its_device_comes_online(start, visit):
    simulator = start()
    page = visit(simulator)
    with Providers(simulator) as providers:
        providers.alert("e417c0de" * 8, "Oat cappuccino")
        row = rows(page).filter(has_text="Oat cappuccino")
        expect(row).to_contain_text("Stored")
        control.call("POST", f"{simulator.control}/api/v1/devices/erin/online")
        expect(row).to_contain_text("Delivered")
        expect(rows(page)).to_have_count(1)


def test_both_interfaces_stand_side_by_side(played, visit):
    page = visit(played)
    expect(page.get_by_role("grid")).to_contain_text("H2 alert")
    expect(page.get_by_role("grid")).to_contain_text("Command 1")
    expect(page.get_by_role("grid")).to_contain_text("Command 2")


def test_the_newest_stands_first_and_a_row_reads_as_a_sentence(played, visit):
    page = visit(played)
    expect(newest(page)).to_contain_text("Order 1042 is ready")
    expect(newest(page)).to_have_accessible_name(re.compile(r"^Delivered, Order 1042 is ready.*bob, \d\d:\d\d:\d\d"))


def test_a_query_leaves_what_it_matches_and_is_the_address(played, visit):
    page = visit(played)
    page.get_by_role("combobox", name="Filter").fill("outcome:rejected")
    expect(rows(page)).to_have_count(2)
    expect(page).to_have_url(re.compile(r"query=outcome%3Arejected"))
    page.reload()
    expect(rows(page)).to_have_count(2)


def test_a_mistake_in_a_query_is_told_at_its_column_and_the_rows_stay(played, visit):
    visit.disturbed("400 (Bad Request)")
    page = visit(played, "/?query=outcome:rejected")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("combobox", name="Filter").fill("outcome:rejected stat!us:8")
    expect(page.get_by_role("alert")).to_contain_text("Column 18")
    expect(rows(page)).to_have_count(2)


def test_a_place_in_a_query_is_found_behind_emoji(played, visit):
    visit.disturbed("400 (Bad Request)")
    page = visit(played)
    field = page.get_by_role("combobox", name="Filter")
    field.press_sequentially('!alert~"🎉🎉🎉" devi')
    option = page.get_by_role("option", name=re.compile("^device"))
    expect(option).to_be_visible()
    option.click()
    expect(field).to_have_value('!alert~"🎉🎉🎉" device:')
    field.fill('alert~"🎉🎉🎉" stat!us:8')
    expect(page.get_by_role("alert")).to_contain_text("Column 13")
    expect(page.locator(".query-mistake u")).to_have_text("s")


def test_a_completed_field_is_gone_on_with_its_value(played, visit):
    visit.disturbed("400 (Bad Request)")
    page = visit(played)
    field = page.get_by_role("combobox", name="Filter")
    field.press_sequentially("outc")
    expect(page.get_by_role("option", name=re.compile("^outcome"))).to_be_visible()
    field.press("Tab")
    expect(field).to_have_value("outcome:")
    field.press_sequentially("rejected")
    expect(rows(page)).to_have_count(2)


def test_completions_are_asked_for_when_typing_rests(played, visit):
    page = visit(played)
    expect(newest(page)).to_be_visible()
    stop_time(page)
    asked = []
    page.on("request", lambda request: "/queries/complete" in request.url and asked.append(request.url))
    field = page.get_by_role("combobox", name="Filter")
    for key in "outcome:rejec":
        field.press(key)
        page.clock.run_for(20)
    assert not asked
    page.clock.run_for(100)
    expect(page.get_by_role("option", name=re.compile("rejected"))).to_be_visible()
    assert len(asked) == 1, asked


def test_a_paused_list_stands_still_and_counts(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "first")
        page = visit(simulator)
        expect(rows(page)).to_have_count(1)
        page.keyboard.press("p")
        expect(page.get_by_text("Paused at")).to_be_visible()
        for text in ["second", "third"]:
            providers.alert(BOB, text)
        expect(page.get_by_text("2 more have arrived")).to_be_visible()
        expect(rows(page)).to_have_count(1)
        page.keyboard.press("p")
        expect(rows(page)).to_have_count(3)


def test_a_row_opens_and_back_returns_to_the_list(played, visit):
    page = visit(played)
    rows(page).filter(has_text="7 Invalid payload size").click()
    expect(page).to_have_url(re.compile(f"/notifications/{played.ids['tooLong']}$"))
    expect(page.get_by_role("heading", name="Rejected: 7 Invalid payload size")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Rejected: 7 Invalid payload size")).to_be_hidden()
    expect(rows(page).filter(has_text="7 Invalid payload size")).to_be_visible()


def test_clearing_asks_and_says_how_many(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
        providers.alert(BOB, "two")
        page = visit(simulator)
        expect(rows(page)).to_have_count(2)
        page.get_by_role("button", name="Clear…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Clear 2 notifications?")
        dialog.get_by_role("button", name="Keep").click()
        expect(rows(page)).to_have_count(2)
        page.get_by_role("button", name="Clear…").click()
        dialog.get_by_role("button", name="Clear", exact=True).click()
        expect(page.get_by_text("Nothing has arrived yet")).to_be_visible()


def test_a_hundred_thousand_are_a_few_rows_and_the_oldest_is_an_end_key_away(start, visit):
    count = 100_000
    simulator = start("--keep", str(count))
    with Providers(simulator) as providers, providers.gateway() as gateway:
        for first in range(1, count, 10_000):
            gateway.sendall(b"".join(enhanced(first + place, BOB, b'{"aps":{"alert":"again"}}') for place in range(10_000)))
        last = f"{simulator.control}/api/v1/notifications/n{count}"
        apnsim.wait_until(lambda: control.call("GET", last)[0] == 200, "the last of so many")
        page = visit(simulator)
        grid = page.get_by_role("grid")
        expect(grid).to_have_attribute("aria-rowcount", re.compile(r"^10000[01]$"))
        assert 10 < rows(page).count() <= 80
        grid.focus()
        page.keyboard.press("End")
        expect(page.locator("[role=row][data-id=n1]")).to_be_visible()
        assert 10 < rows(page).count() <= 80


def test_what_is_not_kept_is_told_at_the_foot_of_the_list(start, visit):
    simulator = start("--keep", "1000")
    with Providers(simulator) as providers:
        providers.frames(*[enhanced(1 + place, BOB) for place in range(2_500)], topic=COFFEE)
        last = f"{simulator.control}/api/v1/notifications/n2500"
        apnsim.wait_until(lambda: control.call("GET", last)[0] == 200, "the last of them")
    page = visit(simulator)
    expect(newest(page)).to_be_visible()
    page.get_by_role("grid").press("End")
    expect(page.get_by_role("row", name=re.compile(r"^No longer in the history: n1 to n1\d{3}$"))).to_be_visible()


def test_what_was_cleared_is_said_to_be_gone_without_a_wrong_reason(start, visit):
    simulator = start()
    visit.disturbed("404 (Not Found)")
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
        control.call("DELETE", f"{simulator.control}/api/v1/notifications")
        providers.alert(BOB, "two")
    page = visit(simulator)
    expect(page.get_by_role("row", name="No longer in the history: n1", exact=True)).to_be_visible()
    page.goto(f"{simulator.control}/notifications/n1")
    expect(page.get_by_role("heading", name="There is no n1")).to_be_visible()
    expect(page.locator(".detail .why")).to_have_text(re.compile(r'^There is no notification "n1"\. The history has .*\.\s*$'))
    expect(page.locator(".detail .why .unbroken")).to_have_text("--keep")


def test_a_page_goes_on_after_the_program_was_started_again(certificates, tmp_path, visit):
    directory = tmp_path / "first"
    directory.mkdir()
    # While the program is away nobody takes its port, on an address of the loopback that is this process's.
    host = f"127.77.{os.getpid() >> 8 & 255}.{os.getpid() & 255}"
    options = {"record": False, "scenario": situation.scenario(directory)}
    visit.disturbed("net::ERR_", "503 (Service Unavailable)")

    def alert(text):
        pushed = {"to": BOB, "topic": COFFEE, "payload": {"aps": {"alert": text}}}
        assert control.call("POST", f"{simulator.control}/api/v1/notifications", pushed)[0] == 201

    with apnsim.Simulator(certificates, directory, "--host", host, **options) as simulator:
        alert("before")
        page = visit(simulator)
        expect(newest(page)).to_contain_text("before")
    expect(page.locator(".state")).to_contain_text("Disconnected at")
    expect(newest(page)).to_contain_text("before")
    simulator.endpoints_file.unlink()
    port = simulator.control.rsplit(":", 1)[1]
    others = [flag for name in ["gateway", "feedback", "http2", "device"] for flag in (f"--{name}-port", "0")]
    with apnsim.Simulator(
            certificates, directory, "--host", host, "--ephemeral", "off", *others, "--control-port", port, **options) as simulator:
        expect(page.locator(".state")).to_contain_text("started anew")
        alert("after")
        expect(newest(page)).to_contain_text("after")
        expect(page.get_by_role("row", name=re.compile("before"))).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/?query=outcome:rejected"])
def test_without_javascript_the_list_is_a_table(played, visit, path):
    page = visit(played, path, java_script_enabled=False)
    expect(page.locator("table")).to_contain_text("410 Unregistered")
    expect(page.locator(".locked")).to_be_hidden()
    lines = page.locator("tbody tr").evaluate_all("""(rows) => rows.flatMap((row) => [0, 1, 5].map((place) => {
      const text = document.createRange();
      text.selectNodeContents(row.cells[place]);
      return new Set([...text.getClientRects()].map((one) => Math.round(one.top))).size;
    }))""")
    assert set(lines) == {1}, lines


@pytest.mark.parametrize("width", [320, 390, 900, 1100, 1440])
def test_an_outcome_is_never_cut(start, visit, width):
    simulator = start()
    rules = [{"fault": "close"}, {"reply": {"reason": "TooManyProviderTokenUpdates"}}, {"reply": {"reason": "BadCertificateEnvironment"}}]
    with Providers(simulator) as providers:
        for rule in rules[1:]:
            control.call("POST", f"{simulator.control}/api/v1/faults", {"when": {"interface": "http2"}, **rule, "times": 1})
            providers.push(BOB, {"aps": {"alert": "refused"}})
    with Providers(simulator) as providers:
        control.call("POST", f"{simulator.control}/api/v1/faults", {"when": {"interface": "http2"}, **rules[0], "times": 1})
        with pytest.raises(httpx.HTTPError):
            providers.push(BOB, {"aps": {"alert": "left alone"}})
    page = visit(simulator, viewport={"width": width, "height": 800})
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first).to_contain_text("Unanswered: by a fault")
    cut = page.locator(".row[data-id] .outcome").evaluate_all("""(all) => all.map((one) => {
      const [word, tag] = ['.word', '.tag'].map((name) => one.querySelector(name));
      const text = document.createRange();
      text.selectNodeContents(word);
      const [inside, place] = [text.getBoundingClientRect(), one.closest('.row').getBoundingClientRect()];
      const isOver = tag && inside.right > tag.getBoundingClientRect().left && inside.bottom > tag.getBoundingClientRect().top;
      const isOut = inside.top < place.top - 1 || inside.bottom > place.bottom + 1 || inside.right > place.right;
      return word.scrollWidth > word.clientWidth || isOver || isOut ? word.textContent : '';
    }).filter(Boolean)""")
    assert not cut, cut


def test_the_foot_says_what_is_shown_and_what_was_counted_since_the_start(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
        providers.push(CAROL, {"aps": {"alert": "two"}})
    page = visit(simulator)
    foot = page.locator(".state")
    expect(foot).to_have_text(re.compile(r"^2 kept, newest first\s*Since the start:\s*1 delivered\s*1 rejected"))
    page.get_by_role("combobox", name="Filter").fill("outcome:rejected")
    expect(foot).to_have_text(re.compile(r"^1 of 2 match, newest first\s*Since the start:\s*1 delivered\s*1 rejected"))


def test_a_day_that_is_not_today_s_is_said_in_the_bar_and_where_it_changes_in_the_list(start, visit, tmp_path):
    simulator = start(scenario=situation.scenario(tmp_path / "simulator0", clock="2012-06-01T23:50:00Z"))
    with Providers(simulator, "2012-06-01T23:40:00Z") as providers:
        providers.alert(BOB, "one")
        providers.alert(BOB, "two")
        control.call("POST", f"{simulator.control}/api/v1/clock/advance", {"by": "20m"})
        providers.alert(BOB, "three")
        providers.alert(BOB, "four")
    for width in [1440, 390]:
        page = visit(simulator, viewport={"width": width, "height": 800})
        expect(rows(page)).to_have_count(4)
        expect(page.locator(".top .time-chip")).to_contain_text("2 Jun 2012 00:10:00")
        assert rows(page).locator(".day").all_inner_texts() == ["2 Jun 2012", "", "1 Jun 2012", ""]


def test_today_needs_no_date(start, visit, tmp_path):
    today = "2012-06-01T14:03:02Z"
    simulator = start(scenario=situation.scenario(tmp_path / "simulator0", clock=today))
    with Providers(simulator, today) as providers:
        providers.alert(BOB, "one")
    page = visit(simulator)
    page.clock.set_fixed_time(today)
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".top .time-chip")).to_have_text(re.compile(r"^Clock 14:03:02 "))
    expect(rows(page).locator(".day")).to_have_text("")
