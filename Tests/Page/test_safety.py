"""What a page of another site, and a payload, can do: nothing."""

import http.server
import threading

import pytest
from playwright.sync_api import expect

import control
from situation import BOB, Providers


@pytest.fixture
def elsewhere():
    """Another site, with an empty page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title><form method=post></form>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def kept(simulator):
    return len(control.call("GET", f"{simulator.control}/api/v1/notifications")[1]["notifications"])


def test_a_page_of_another_site_can_change_and_read_nothing(start, browser, elsewhere):
    simulator = start()
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
    context = browser.new_context()
    page = context.new_page()
    page.goto(elsewhere)
    target = f"{simulator.control}/api/v1"
    tries = page.evaluate(
        """async (target) => {
          const tries = [
            ['DELETE', '/notifications', undefined, {}],
            ['POST', '/reset', undefined, {}],
            ['POST', '/reset', '{}', { 'content-type': 'text/plain' }],
            ['PUT', '/devices/eve', '{"apps":["com.example.app"]}', { 'content-type': 'application/json' }],
          ];
          const said = [];
          for (const mode of ['cors', 'no-cors']) {
            for (const [method, path, body, headers] of tries) {
              try {
                const answer = await fetch(target + path, { method, body, headers, mode, credentials: 'include' });
                said.push(mode === 'no-cors' ? answer.type : answer.status);
              } catch { said.push('failed'); }
            }
          }
          try { said.push((await (await fetch(target + '/notifications')).text()).length); } catch { said.push('failed'); }
          return said;
        }""", target)
    assert all(one in ("failed", "opaque") for one in tries), tries
    with page.expect_navigation():
        page.evaluate("(address) => { const form = document.forms[0]; form.action = address; form.submit(); }", f"{target}/reset")
    page.goto(elsewhere)
    page.evaluate(
        "(address) => { const frame = document.createElement('iframe'); frame.src = address; document.body.append(frame); "
        "return new Promise((done) => { frame.onload = done; }); }", simulator.control + "/")
    framed = [frame for frame in page.frames if frame.parent_frame]
    assert all(frame.locator("nav").count() == 0 for frame in framed)
    context.close()
    assert kept(simulator) == 1
    assert "eve" not in str(control.call("GET", f"{target}/devices"))


def test_the_policy_lets_no_text_become_markup_or_script(played, visit):
    visit.disturbed("TrustedHTML", "Content Security Policy")
    page = visit(played)
    expect(page.get_by_role("grid")).to_be_visible()
    assert page.evaluate("(() => { try { document.body.innerHTML = '<b>x</b>'; return 'done'; } catch (error) { return error.name; } })()") == "TypeError"
    assert page.evaluate(
        "() => new Promise((done) => { addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective)); "
        "fetch('https://evil.example/').catch(() => {}); })") == "connect-src"


def test_the_control_token_is_asked_for_once_and_stays_out_of_addresses(start, visit):
    simulator = start("--control-token", "open sesame")
    visit.disturbed("401 (Unauthorized)")
    page = visit(simulator)
    field = page.get_by_label("control token")
    assert page.locator(".token label > span").evaluate("(one) => one.getClientRects().length") == 1
    expect(page.locator(".token label > *")).to_have_count(2)
    field.fill("open sesame")
    field.press("Enter")
    expect(page.get_by_text("Nothing has arrived yet")).to_be_visible()
    page.get_by_role("link", name="Connections").click()
    expect(page.get_by_text("No connections yet")).to_be_visible()
    assert "sesame" not in page.url
    page.reload()
    expect(page.get_by_text("No connections yet")).to_be_visible()


def test_without_javascript_a_page_that_is_locked_says_why_it_is_empty(start, visit):
    page = visit(start("--control-token", "open sesame"), java_script_enabled=False)
    expect(page.locator(".locked")).to_be_visible()


def test_a_read_only_page_has_no_steering(start, visit):
    simulator = start("--page", "read-only")
    with Providers(simulator) as providers:
        providers.alert(BOB, "one")
        page = visit(simulator, "/notifications/n1")
        expect(page.get_by_role("heading", name="Delivered to bob")).to_be_visible()
        expect(page.get_by_text("Read only")).to_be_visible()
        for name in ["Clear…", "Send again…", "Make the next one fail…", "End it"]:
            assert page.get_by_text(name).count() == 0
        for pane in ["Faults", "Scenario", "Clock"]:
            assert page.get_by_role("navigation").get_by_text(pane).count() == 0


def test_a_page_that_is_off_is_not_there(start):
    simulator = start("--page", "off")
    assert control.call("GET", f"{simulator.control}/api/v1/notifications")[0] == 200
    assert control.call("GET", f"{simulator.control}/")[0] == 404
