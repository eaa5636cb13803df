"""One notification: judged, sent, shown."""

import json
import re

import pytest
from playwright.sync_api import expect

import control
import situation
from frames import enhanced
from situation import BOB, COFFEE, HOSTILE, Providers


def at(played, name, part=""):
    return f"/notifications/{played.ids[name]}{part}"


def test_the_sentence_answers_the_question(played, visit):
    sentences = {
        "order": "Delivered to bob", "stored": "Stored: erin is offline", "unregistered": "Rejected: 410 Unregistered",
        "tooLong": "Rejected: 7 Invalid payload size", "lost": "Discarded unread", "dropped": "Dropped: bob cannot read the payload",
        "replaced": f"Replaced by {played.ids['stored']} before erin came online",
        "undecodable": "Answered 200, but alice’s screen did not change",
    }
    page = visit(played)
    for name, sentence in sentences.items():
        page.goto(played.control + at(played, name))
        expect(page.get_by_role("heading", level=1).filter(has_text=sentence)).to_be_visible()


def test_the_check_that_failed_stands_out_with_its_limit(played, visit):
    page = visit(played, at(played, "tooLong"))
    failed = page.locator(".checks .failed")
    expect(failed).to_have_count(1)
    expect(failed).to_contain_text("Payload size")
    expect(failed).to_contain_text("274")
    expect(page.locator(".checks .hint")).to_contain_text("2048")


def test_an_error_says_what_it_cost_and_links_to_the_connection(played, visit):
    page = visit(played, at(played, "tooLong"))
    expect(page.locator(".why")).to_contain_text("cost 3 more notifications, 2 of which were never sent again")
    page.locator(".why").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/connections/c\d+$"))


def test_a_refusal_without_an_answer_is_told_in_the_same_words_everywhere(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        control.call("POST", f"{simulator.control}/api/v1/faults", {"when": {"interface": "binary"}, "fault": "close"})
        assert providers.frames(enhanced(1, BOB), topic=COFFEE, answer=True) == b""
    page = visit(simulator)
    expect(page.locator("[role=row][data-id=n1]")).to_contain_text("Closed, no error response")
    page.goto(f"{simulator.control}/notifications/n1")
    expect(page.get_by_role("heading", name="Rejected: closed, no error response")).to_be_visible()
    expect(page.locator(".answered")).to_contain_text("Closed, no error response.")
    page.get_by_role("link", name="Send again…").click()
    expect(page.locator(".verdict")).to_contain_text("Would be: Closed, no error response")
    page.goto(f"{simulator.control}/faults?from=n1")
    expect(page.locator(".sentence")).to_contain_text("no error response")


def test_a_field_its_bytes_and_its_characters_light_up_together(played, visit):
    page = visit(played, at(played, "localised", "#frame"))
    name = page.get_by_role("button", name="priority")
    name.hover()
    expect(page.locator("tr.lit")).to_have_count(1)
    expect(page.locator("tr.lit")).to_contain_text("priority")
    expect(page.locator(".codes .lit")).to_have_text(["0a"])
    page.get_by_role("button", name="device token").focus()
    expect(page.locator(".codes .lit")).to_have_count(32)
    expect(page.locator(".characters .lit")).to_have_count(32)
    page.keyboard.press("ArrowDown")
    expect(page.locator("tr.lit")).not_to_contain_text("device token")
    page.locator(".codes b").nth(40).hover()
    expect(page.locator(".characters .here")).to_have_count(1)


def test_a_request_has_its_headers_in_order_and_no_token(played, visit):
    page = visit(played, at(played, "order", "#request"))
    names = page.get_by_role("tabpanel").locator("dt")
    expect(names.filter(has_text="apns-collapse-id")).to_be_visible()
    texts = names.all_inner_texts()
    assert texts.index(":method") < texts.index("apns-topic")
    expect(page.get_by_role("tabpanel")).to_contain_text("10 of 64 bytes")
    expect(page.get_by_text("Provider token")).to_be_visible()
    token = played.providers.token
    assert token not in page.content() and token.split(".")[2] not in page.content()


def test_the_payload_is_as_it_was_sent_with_a_meter(played, visit):
    page = visit(played, at(played, "order", "#payload"))
    text = page.locator("pre.json").inner_text()
    assert json.loads(text)["aps"]["alert"]["title"] == "Order 1042 is ready"
    expect(page.locator(".size")).to_contain_text("of 4,096 bytes")


def test_bytes_that_are_no_json_are_hex(played, visit):
    page = visit(played, at(played, "dropped", "#payload"))
    expect(page.get_by_text("These bytes are no JSON.")).to_be_visible()
    expect(page.locator(".hex")).to_contain_text("5b 31 2c 20 32")


def test_the_phone_shows_what_the_inbox_has(played, visit):
    _, inbox = control.call("GET", f"{played.control}/api/v1/devices/bob/inbox?limit=1000")
    told = {one["id"]: one["presentation"] for one in inbox["notifications"]}
    page = visit(played)
    for name in ["order", "migros", "localised"]:
        page.goto(played.control + at(played, name))
        expect(page.locator(".phone .card")).to_contain_text(told[played.ids[name]]["alert"]["text"])
    expect(page.locator(".shown")).to_contain_text("French")
    page.get_by_role("button", name="Alert box").click()
    expect(page.locator(".phone")).to_contain_text("Jouer")


def test_the_phone_has_badge_sound_level_and_buttons(played, visit):
    page = visit(played, at(played, "order"))
    shown = page.get_by_role("complementary", name="Shown")
    for text in ["Time sensitive", "cup.caf", "ORDER", "3"]:
        expect(shown).to_contain_text(text)
    shown.get_by_role("button", name="Home").click()
    expect(shown.locator(".badge")).to_have_text("3")


def test_what_shows_nothing_says_why(played, visit):
    page = visit(played, at(played, "background"))
    shown = page.get_by_role("complementary", name="Shown")
    expect(shown).to_contain_text("Shows nothing.")
    expect(shown).to_contain_text("no alert, no badge and no sound")
    expect(shown.locator(".card")).to_have_count(0)


@pytest.mark.parametrize("name, words", [
    ("stored", "It will show when erin comes online"), ("replaced", "A newer one"), ("unregistered", "never reached a device"),
])
def test_what_nobody_saw_is_dashed_and_says_why(played, visit, name, words):
    page = visit(played, at(played, name))
    expect(page.locator(".phone.ghost .card")).to_be_visible()
    expect(page.get_by_role("complementary", name="Shown")).to_contain_text(words)


def test_an_unreadable_payload_has_no_card(played, visit):
    page = visit(played, at(played, "dropped"))
    expect(page.get_by_role("complementary", name="Shown")).to_contain_text("The device cannot read this payload.")
    expect(page.locator(".phone .card")).to_have_count(0)


def test_a_live_activity_is_a_card_and_one_that_does_not_decode_names_the_field(played, visit):
    page = visit(played, at(played, "activity"))
    expect(page.locator(".phone .activity")).to_contain_text("stopsToGo")
    page.goto(played.control + at(played, "undecodable", "#payload"))
    expect(page.get_by_role("complementary", name="Shown")).to_contain_text("content-state.arrival")
    expect(page.locator("pre.json .fault")).to_have_text('"15:12"')


def test_strangers_text_is_text(played, visit):
    page = visit(played, at(played, "hostile"))
    expect(page.locator(".phone .card")).to_contain_text("<script>window.hurt=1</script>")
    shown = page.locator("body").inner_text()
    assert "\u001b" not in shown and "\u202e" not in shown and "⟨RLO⟩" in shown
    assert page.evaluate("window.hurt") is None
    assert page.locator("main img, main script, .card b").count() == 0
    assert page.locator("a[href^='https:']").count() == 0
    page.goto(played.control + "/")
    expect(page.get_by_role("grid")).to_contain_text("<script>window.hurt=1")
    assert page.evaluate("window.hurt") is None


def test_strangers_text_is_text_without_javascript(played, visit):
    page = visit(played, at(played, "hostile"), java_script_enabled=False)
    assert HOSTILE.split("onerror")[0] in page.inner_text("body")
    assert page.locator("main img, noscript img").count() == 0


def test_copies_have_no_secret_and_send_the_same_again(played, visit):
    page = visit(played, at(played, "order"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def copied(word):
        page.get_by_role("button", name="Copy as").click()
        page.get_by_role("button", name=word, exact=True).click()
        expect(page.get_by_role("status")).to_contain_text(word)
        return page.evaluate("navigator.clipboard.readText()")

    curl = copied("curl")
    assert f"$(apnsim certs jwt --certs {played.certs})" in curl and played.providers.token not in curl and f"/3/device/{BOB}" in curl
    assert copied("link") == played.control + at(played, "order")
    query = copied("query that finds it")
    status, found = control.call("GET", f"{played.control}/api/v1/notifications?query={query.replace(' ', '%20').replace(chr(34), '%22')}")
    assert status == 200 and [one["id"] for one in found["notifications"]] == [played.ids["order"]]
    assert json.loads(copied("JSON"))["id"] == played.ids["order"]


def test_what_becomes_of_it_later_shows_at_once(start, visit):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert("e417c0de" * 8, "Oat cappuccino")
        page = visit(simulator, "/notifications/n1")
        expect(page.get_by_role("heading", name="Stored: erin is offline")).to_be_visible()
        control.call("POST", f"{simulator.control}/api/v1/devices/erin/online")
        expect(page.get_by_role("heading", name="Delivered to erin")).to_be_visible()


def test_one_that_is_not_there_says_so(played, visit):
    visit.disturbed("404 (Not Found)")
    page = visit(played, "/notifications/n999")
    expect(page.get_by_role("heading", name="There is no n999")).to_be_visible()


def test_an_update_of_a_live_activity_shows_its_alert_beside_the_activity(start, visit):
    simulator = start()
    update = situation.trip(1_795_615_440, stopsToGo=2, arrival=817312320, platform="7")
    update["aps"]["alert"] = {"title": "Five minutes late", "body": "Platform 7 all the same"}
    with situation.Providers(simulator) as providers:
        answer = providers.push(situation.TRIP, update, topic=situation.ACTIVITIES, apns_push_type="liveactivity")
        assert answer.status_code == 200
    page = visit(simulator, "/notifications/n1")
    shown = page.locator(".shown")
    for view in ["Lock screen", "Banner"]:
        shown.get_by_role("button", name=view).click()
        expect(shown.locator(".card.activity")).to_contain_text("stopsToGo")
        expect(shown.locator(".card:not(.activity)")).to_contain_text("Five minutes late")
    expect(shown.locator(".facts")).to_contain_text(re.compile("Alert.*Five minutes late Platform 7 all the same"))
