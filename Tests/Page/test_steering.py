"""What the page can do to a simulator, and that it shows wherever one looks."""

import base64
import gzip
import json
import pathlib
import re
import struct
import time

import pytest
from playwright.sync_api import expect

import control
import simulator as apnsim
import situation
from conftest import stop_time
from frames import enhanced
from situation import BOB, CAROL, COFFEE, Providers


def api(simulator, path):
    return control.call("GET", f"{simulator.control}/api/v1/{path}")[1]


def test_a_device_goes_offline_and_comes_back(start, visit):
    simulator = start()
    page = visit(simulator, "/devices/bob")
    expect(page.get_by_role("heading", name="bob is online")).to_be_visible()
    page.get_by_role("switch").first.click()
    expect(page.get_by_role("heading", name="bob is offline")).to_be_visible()
    assert api(simulator, "devices/bob")["online"] is False
    page.get_by_role("switch").first.click()
    expect(page.get_by_role("heading", name="bob is online")).to_be_visible()


def test_an_app_that_is_uninstalled_is_in_the_feedback_list(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "Two espressi")
        page = visit(simulator, "/devices/bob")
        expect(page.locator(".phone .card")).to_contain_text("Two espressi")
        page.get_by_role("row", name=re.compile(COFFEE)).get_by_role("button", name="Uninstall").click()
        expect(page.get_by_role("button", name="Install again")).to_be_visible()
        expect(page.locator(".phone .card")).to_have_count(0)
        assert providers.push(BOB, {"aps": {"alert": "hi"}}).status_code == 410


def test_a_fault_is_turned_on_seen_from_every_pane_and_off_again_with_undo(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        page = visit(simulator, "/faults")
        page.get_by_role("button", name="Turn on", exact=True).click()
        expect(page.locator(".top .faults")).to_contain_text("1 fault on")
        page.get_by_role("link", name=re.compile("^Connections")).click()
        expect(page.locator(".top .faults")).to_contain_text("1 fault on")
        assert providers.push(BOB, {"aps": {"alert": "one"}}).status_code == 410
        page.goto(f"{simulator.control}/notifications/n1")
        expect(page.locator(".staged")).to_contain_text("Staged by the rule")
        page.goto(f"{simulator.control}/faults")
        # It can be undone for a while.
        stop_time(page)
        page.get_by_role("button", name="Everything off").click()
        expect(page.get_by_text("Nothing is on.")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        page.clock.resume()
        expect(page.get_by_text("Nothing is on.")).to_be_hidden()
        assert len(api(simulator, "faults")["faults"]) == 1


def test_the_rules_that_are_on_are_written_as_the_api_takes_them(start, visit):
    simulator = start()
    rule = {"when": {"device": "007", "interface": "http2"}, "reply": {"reason": "Unregistered", "timestamp": "2h ago"}, "times": 1}
    control.call("POST", f"{simulator.control}/api/v1/faults", rule)
    page = visit(simulator, "/faults")
    expect(page.locator("code.rule")).to_contain_text(
        'when: {device: "007", interface: http2}, reply: {reason: Unregistered, timestamp: 2h ago}, times: 1')


def test_a_fault_says_what_the_provider_will_see_before_it_is_on(start, visit):
    simulator = start()
    page = visit(simulator, "/faults")
    expect(page.get_by_role("heading", name="Your provider will see")).to_be_visible()
    expect(page.locator(".steps")).to_contain_text("410")
    assert api(simulator, "faults")["faults"] == []


def test_every_choice_of_the_catalogue_is_a_rule_that_the_api_takes(start, visit):
    page = visit(start(), "/faults")
    refused = page.evaluate(
        """async () => {
          const { catalogueOf, ruleOf, startOf, textOf } = await import('/page/lib/catalogue.js');
          const catalogue = await catalogueOf({ get: async (path) => (await fetch(`/api/v1${path}`)).json() });
          const refused = {};
          let tried = 0;
          const check = async (entry, values) => {
            const text = textOf(entry, values, (part, value) => value);
            const answer = await fetch('/api/v1/faults?preview=true', { method: 'POST',
              headers: { 'content-type': 'application/json' }, body: JSON.stringify(ruleOf(entry, values, text)) });
            tried += 1;
            if (answer.status !== 200) refused[`${entry.name}: ${JSON.stringify(values)}`] = (await answer.json()).detail;
          };
          for (const entry of catalogue) {
            await check(entry, startOf(entry));
            for (const part of entry.sentence.filter((one) => one.name)) {
              const choices = part.name === 'whose' ? [['topic:com.example.app'], [`token:${'ab'.repeat(32)}`], ['device:007']] : part.choices;
              for (const [value] of choices) await check(entry, { ...startOf(entry), [part.name]: value });
            }
          }
          if (tried < 300) refused.tried = tried;
          return refused;
        }""")
    assert not refused, refused


def test_every_refusal_of_the_service_can_be_chosen(start, visit):
    page = visit(start(), "/faults")
    page.get_by_role("button", name=re.compile("^All ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Any reason").click()
    reasons = set(page.locator(".sentence").get_by_label("reason").locator("option").all_inner_texts())
    assert {"403 UnrelatedKeyIdInToken", "403 BadEnvironmentKeyInToken", "410 Unregistered", "503 Shutdown"} <= reasons
    page.get_by_role("button", name="Error packet lost to a reset").click()
    statuses = page.locator(".sentence").get_by_label("status").locator("option").all_inner_texts()
    assert "128 Protocol error" in statuses and "8 Invalid token" in statuses


def test_the_next_one_is_made_to_fail_from_the_notification(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
        page = visit(simulator, "/notifications/n1")
        page.get_by_role("link", name="Make the next one fail…").click()
        expect(page.locator("main")).to_contain_text("bob")
        page.get_by_role("button", name="Turn on", exact=True).click()
        expect(page.locator(".top .faults")).to_contain_text("1 fault on")
        assert providers.push(BOB, {"aps": {"alert": "two"}}).status_code == 410


def test_a_virtual_clock_moves_and_says_so_everywhere(start, visit, tmp_path):
    simulator = start(scenario=situation.scenario(tmp_path / "simulator0", clock="2026-11-25T14:03:02Z"))
    page = visit(simulator, "/clock")
    expect(page.locator("main")).to_contain_text("14:03:02")
    page.get_by_role("button", name="+1 h", exact=True).click()
    expect(page.locator("main")).to_contain_text("15:03:02")
    expect(page.locator(".top .time-chip")).to_contain_text("15:03:02")
    assert api(simulator, "clock")["now"].startswith("2026-11-25T15:03:02")


def test_a_scenario_with_mistakes_is_told_where_and_not_loaded(start, visit):
    simulator = start()
    page = visit(simulator, "/scenario")
    field = page.get_by_label(re.compile("Scenario"))
    field.fill("version: 1\nname: mine\ndevises:\n  dave: { apps: [com.example.app] }\n")
    expect(page.get_by_text(re.compile("1 mistake: line 3"))).to_be_visible()
    field.fill("version: 1\nname: mine\ndevices:\n  dave: { apps: [🎉🎉], onlin: false }\n")
    expect(page.locator(".behind u")).to_have_text("onlin")
    page.get_by_role("button", name="Line 4, column 23").click()
    assert field.evaluate("(one) => one.value.slice(one.selectionStart, one.selectionEnd)") == "onlin"
    field.fill("version: 1\nname: mine\napps:\n  com.example.app: { environment: production }\ndevices:\n  dave: { apps: [com.example.app] }\n")
    expect(page.get_by_text("No mistakes.")).to_be_visible()
    page.get_by_role("button", name="Load…").click()
    page.get_by_role("dialog").get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("link", name=re.compile("^Devices")).click()
    expect(page.get_by_text("dave")).to_be_visible()


def test_what_is_written_before_the_running_scenario_arrives_stays(start, visit):
    page, held = visit(start()), []
    page.route("**/scenario", lambda route: held.append(route))
    page.get_by_role("link", name="Scenario", exact=True).click()
    field = page.get_by_label(re.compile("^Scenario"))
    written = "version: 1\nname: mine\ndevises: {}\n"
    field.fill(written)
    apnsim.wait_until(lambda: page.wait_for_timeout(20) or held, "the scenario that is asked for")
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name=re.compile("^Running"))).to_contain_text("kiosk")
    expect(page.get_by_text(re.compile("1 mistake: line 3"))).to_be_visible()
    expect(field).to_have_value(written)


def test_a_device_that_a_token_made_is_listed_and_opens(start, visit):
    simulator, token = start(), "5e" * 32
    with Providers(simulator) as providers:
        providers.alert(token, "hello")
    page = visit(simulator, "/devices")
    expect(page.get_by_text("1 device without a name")).to_be_visible()
    page.get_by_label("Filter devices").fill("5e5e")
    page.locator(".cards a").click()
    expect(page).to_have_url(re.compile(f"/devices/{token}$"))
    expect(page.locator(".detail")).to_contain_text("hello")


def test_a_stretch_is_recorded_while_other_panes_are_looked_at(start, visit):
    simulator = start()
    page = visit(simulator, "/capture")
    with Providers(simulator) as providers:
        providers.alert(BOB, "before")
        expect(page.get_by_role("navigation").get_by_role("link", name=re.compile("^Notifications"))).to_contain_text("1")
        page.get_by_role("button", name="Record from now on").click()
        page.get_by_role("link", name="Clock").first.click()
        providers.alert(BOB, "within")
        page.get_by_role("link", name="Capture", exact=True).click()
        expect(page.get_by_text("Recording since")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Stop and download").click()
    text = gzip.decompress(pathlib.Path(download.value.path()).read_bytes()).decode()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["event"] for line in lines[1:] if line["event"] == "notification"] == ["notification"]
    assert lines[0]["completeFrom"] == lines[1]["seq"]
    expect(page.get_by_role("button", name="Record from now on")).to_be_visible()


def test_a_notification_is_sent_from_the_page_with_the_verdict_beforehand(start, visit):
    simulator = start()
    page = visit(simulator, "/send?to=bob")
    page.get_by_label("Payload").fill('{"aps":{"alert":"From the page"}}')
    expect(page.get_by_text("Would be: Delivered")).to_be_visible()
    expect(page.locator(".phone .card")).to_contain_text("From the page")
    assert api(simulator, "notifications")["notifications"] == []
    page.get_by_role("button", name="Send it").click()
    page.get_by_role("link", name="n1", exact=True).click()
    expect(page.get_by_role("heading", name="Delivered to bob")).to_be_visible()


def test_no_choice_of_what_is_sent_is_refused_by_the_api(start, visit):
    simulator = start()
    page = visit(simulator, "/send?to=bob")
    sentence = page.locator(".sentence")
    expect(page.get_by_text("Would be:")).to_be_visible()
    # A choice is judged when no other follows it soon.
    stop_time(page)
    for interface in ["http2", "binary"]:
        sentence.get_by_label("api").select_option(interface)
        names = [slot.get_attribute("aria-label") for slot in sentence.get_by_role("combobox").all()]
        assert {"to", "topic", "priority", "expiration"} <= set(names)
        for name in names:
            if name == "api":
                continue
            slot = sentence.get_by_label(name, exact=True)
            before = slot.input_value()
            values = [option.get_attribute("value") for option in slot.locator("option").all()]
            for value in [one for one in values if one != before] + [before]:
                with page.expect_response("**/notifications?preview=true") as answer:
                    slot.select_option(value)
                    page.clock.run_for(500)
                assert answer.value.status == 200, f"{name} {value}: {answer.value.text()}"
                expect(page.locator("main .mistake")).to_have_text("")


def test_what_is_said_of_a_notification_beforehand_is_said_once(start, visit):
    page = visit(start(), "/devices")
    with page.expect_response("**/notifications?preview=true") as answer:
        page.goto(f"{page.url.rsplit('/', 1)[0]}/send?to=cdcd")
    expect(page.locator(".verdict")).to_contain_text("Would be: 400 BadDeviceToken")
    expect(page.locator(".shown")).to_contain_text("Nobody would see this.")
    hints = [check["hint"] for check in answer.value.json()["explain"] if check.get("hint")]
    assert hints
    for hint in hints:
        expect(page.locator(".verdict > p, .verdict li").filter(has_text=hint)).to_have_count(1)


def test_a_payload_that_is_no_json_is_judged_and_sent_as_it_is_typed(start, visit):
    simulator = start()
    page = visit(simulator, "/send?to=bob")
    page.get_by_label("Payload").fill("[1, 2")
    expect(page.locator(".verdict")).to_contain_text("Would be: Dropped by device")
    page.get_by_role("button", name="Send it").click()
    expect(page.get_by_role("link", name="n1", exact=True)).to_be_visible()
    assert base64.b64decode(api(simulator, "notifications/n1")["payloadBase64"]) == b"[1, 2"


def test_sending_again_carries_everything_that_was_sent(start, visit):
    simulator = start()
    expiry = int(time.time()) + 3600
    uuid = "9cc4b4a2-0000-4000-8000-000000000000"
    payload = '{ "aps":{"alert":"twice",  "alert":"once"} }'
    with Providers(simulator) as providers:
        providers.push(BOB, payload, apns_id=uuid, apns_priority=5, apns_expiration=expiry, apns_collapse_id="order-1")
        providers.frames(struct.pack(">BH", 0, 32) + bytes.fromhex(CAROL) + struct.pack(">H", 5) + b"[1, 2", topic=COFFEE)
        providers.frames(enhanced(0x4AB, BOB, b'{"aps":{"alert":"one"}}', expiry), topic=COFFEE)
        apnsim.wait_until(lambda: len(api(simulator, "notifications")["notifications"]) == 3, "all three")
    for place, id in enumerate(["n1", "n2", "n3"], 4):
        page = visit(simulator, f"/notifications/{id}")
        page.get_by_role("link", name="Send again…").click()
        expect(page.locator(".verdict")).to_contain_text("Would be:")
        page.get_by_role("button", name="Send it").click()
        expect(page.get_by_role("link", name=f"n{place}", exact=True)).to_be_visible()
        first, again = api(simulator, f"notifications/{id}"), api(simulator, f"notifications/n{place}")
        for member in ["interface", "command", "identifier", "expiry", "priority", "token", "topic", "environment", "pushType",
                       "payloadBase64", "outcome", "status"]:
            assert again.get(member) == first.get(member), f"{member} of {id}"
    headers = {one["name"]: one["value"] for one in api(simulator, "notifications/n4")["request"]["headers"]}
    assert headers["apns-id"] == uuid and headers["apns-collapse-id"] == "order-1"


def test_a_payload_that_cannot_be_written_again_says_so(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.frames(enhanced(1, BOB, b"{}" * 200), topic=COFFEE, answer=True)
        providers.push(BOB, b'{"aps":{"alert":"\xff"}}')
    for id, note in [("n1", "400 bytes was refused unread"), ("n2", "no UTF-8")]:
        page = visit(simulator, f"/send?from={id}")
        expect(page.locator("main .hint").filter(has_text=note)).to_be_visible()
        page.get_by_label("Payload").fill("{}")
        expect(page.locator("main .hint").filter(has_text=note)).to_be_hidden()


def test_what_was_turned_off_in_one_sandbox_is_not_offered_in_another(start, visit):
    simulator = start()
    control.call("POST", f"{simulator.control}/api/v1/faults", {"when": {"interface": "http2"}, "fault": "close"})
    page = visit(simulator, "/faults")
    page.get_by_role("switch").click()
    expect(page.get_by_role("cell", name="turned off here")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Sandboxes")).click()
    page.get_by_role("button", name="Make one").click()
    page.get_by_role("main").get_by_role("link", name=re.compile("^s")).first.click()
    page.get_by_role("link", name=re.compile("^Faults")).click()
    expect(page.get_by_text("Nothing is on.")).to_be_visible()
    page.go_back()
    page.go_back()
    page.go_back()
    expect(page.get_by_role("cell", name="turned off here")).to_be_visible()


def test_a_refusal_is_made_again_at_once(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.frames(enhanced(1, "ab" * 32, b"{}" * 200), topic=COFFEE, answer=True)
        page = visit(simulator, "/notifications/n1")
        page.get_by_role("link", name="Make another fail like this…").click()
        expect(page.locator(".sentence")).to_contain_text("7 Invalid payload size")
        page.get_by_role("button", name="Turn on", exact=True).click()
        expect(page.locator(".top .faults")).to_contain_text("1 fault on")
        assert providers.frames(enhanced(2, "ab" * 32), topic=COFFEE, answer=True)[:6] == b"\x08\x07\0\0\0\x02"


def test_sandboxes_are_made_entered_and_ended(start, visit):
    simulator = start()
    page = visit(simulator, "/sandboxes")
    page.get_by_role("button", name="Make one").click()
    page.get_by_role("main").get_by_role("link", name=re.compile("^s")).first.click()
    expect(page).to_have_url(re.compile("/sandboxes/[^/]+/"))
    expect(page.get_by_text("Nothing has arrived yet")).to_be_visible()
    page.goto(f"{simulator.control}/sandboxes")
    page.get_by_role("button", name="End…").click()
    page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_role("heading", name="One simulator for each test")).to_be_visible()
    assert api(simulator, "sandboxes")["sandboxes"] == []


def test_the_feedback_list_is_filled_and_cleared(start, visit):
    simulator = start()
    page = visit(simulator, "/feedback")
    assert api(simulator, "feedback")["tuples"] == []
    with Providers(simulator) as providers:
        providers.frames(enhanced(1, CAROL), topic=COFFEE)
    expect(page.get_by_role("button", name="Clear…")).to_be_visible()
    page.get_by_role("button", name="Clear…").click()
    page.get_by_role("dialog").get_by_role("button", name="Clear", exact=True).click()
    expect(page.get_by_role("button", name="Clear…")).to_be_hidden()
    assert api(simulator, "feedback")["tuples"] == []


def test_a_fault_that_is_used_up_is_not_among_those_that_are_on(start, visit):
    simulator = start()
    rule = {"when": {"interface": "http2"}, "reply": {"reason": "Unregistered"}, "times": 1}
    control.call("POST", f"{simulator.control}/api/v1/faults", rule)
    page = visit(simulator, "/faults")
    switch = page.get_by_role("switch")
    expect(switch).to_be_checked()
    # Without a name it is known by what it says.
    expect(page.locator("table.faults td:nth-child(2)")).to_have_text(re.compile(r"^r1\s+when: {interface: http2}, reply: "))
    with Providers(simulator) as providers:
        assert providers.push(BOB, {"aps": {"alert": "one"}}).status_code == 410
    expect(page.get_by_role("heading", name="Used up")).to_be_visible()
    expect(page.get_by_text("Nothing is on.")).to_be_visible()
    expect(switch).not_to_be_checked()
    switch.click()
    expect(page.get_by_role("heading", name="Used up")).to_be_hidden()
    expect(switch).to_be_checked()
    expect(page.locator(".state")).to_contain_text("1 fault on")


@pytest.mark.parametrize("width", [390, 1440])
def test_everything_ahead_lies_on_the_axis_that_is_seen(start, visit, width):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert("e417c0de" * 8, "stored for 28 days")
    page = visit(simulator, "/clock", viewport={"width": width, "height": 900})
    expect(page.locator(".due")).to_have_count(1)
    page.get_by_role("slider").focus()
    for _ in range(28):
        page.keyboard.press("PageUp")
    expect(page.locator(".handle")).to_be_visible()
    assert page.locator(".axis-scroll").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    out = page.locator(".due, .due-text, .axis-ticks span:visible").evaluate_all("""(all) => {
      const box = document.querySelector('.axis-scroll').getBoundingClientRect();
      return all.filter((one) => one.getBoundingClientRect().left < box.left || one.getBoundingClientRect().right > box.right)
        .map((one) => one.textContent);
    }""")
    assert not out, out
