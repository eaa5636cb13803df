"""A kiosk, a bank and a railway push to four people: what the tests of the page look at, and its pictures show."""

import json
import os
import struct
from pathlib import Path

import httpx

import control
import simulator as apnsim
from frames import enhanced
from http2_peers import context

COFFEE, RAIL, BANK, GAME = "com.example.coffee", "com.example.rail", "com.example.bank", "com.example.game"
ACTIVITIES = f"{RAIL}.push-type.liveactivity"
STRINGS = Path(__file__).parents[2] / "fixtures/strings"

ALICE = "a11ce0" * 10 + "a11c"
BOB = "b0b1" * 16
BOB_BANK = "a4ed8fdc405e2dc3f78238c8c81d1821282fd000fe484aebd41c66818b22a9d4"
BOB_GAME = "9a3e" * 16
CAROL = "ca401e" * 10 + "ca40"
ERIN = "e417c0de" * 8
TRIP = "ac71" * 16


def app(topic, token, **more):
    return {"topic": topic, "environment": "production", "token": token, **more}


def scenario(directory, clock=None):
    """The devices, for a scenario file in the directory; `clock` is where a virtual clock stands still."""
    trip = {"contentState": {"headline": "string", "stopsToGo": "integer", "arrival": "number", "platform": "string"}}
    return {
        "version": 1,
        "name": "kiosk, bank and railway",
        "seed": 3471385913,
        **({"clock": {"mode": "virtual", "start": clock}} if clock else {}),
        "apps": {
            COFFEE: {"environment": "production"},
            RAIL: {"environment": "production", "activities": {"TripAttributes": trip}},
            BANK: {"environment": "production"},
            GAME: {"environment": "production", "localizations": os.path.relpath(STRINGS, directory), "developmentLanguage": "en"},
        },
        "devices": {
            "alice": {"apps": [app(RAIL, ALICE)]},
            "bob": {"apps": [app(COFFEE, BOB), app(BANK, BOB_BANK), app(GAME, BOB_GAME)], "languages": ["fr", "en"]},
            "carol": {"apps": [app(COFFEE, CAROL, installed=False)]},
            "erin": {"apps": [app(COFFEE, ERIN)], "online": False},
        },
        "activities": [{
            "device": "alice", "app": RAIL, "attributesType": "TripAttributes", "token": TRIP,
            "contentState": {"headline": "On time", "stopsToGo": 5, "arrival": 817312320, "platform": "7"},
        }],
    }


class Providers:
    """Both kinds of provider of a simulator: one connection of HTTP/2, and one of the gateway for each `frames`."""

    def __init__(self, simulator, issued_at=None):
        self.simulator = simulator
        moment = ["--issued-at", issued_at] if issued_at else []
        self.token = apnsim.apnsim("certs", "jwt", "--certs", simulator.certs, *moment).stdout.strip()
        self.http2 = httpx.Client(
            http1=False, http2=True, verify=context(simulator), timeout=apnsim.PATIENCE,
            base_url=f"https://{simulator.host}:{simulator.http2}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http2.close()

    def push(self, token, payload, topic=COFFEE, **headers):
        """The answer to one request. A header of None is left out; a payload that is no dictionary is sent as it is."""
        named = {"authorization": f"bearer {self.token}", "apns-topic": topic, "apns-push-type": "alert"}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        named = {name: str(value) for name, value in named.items() if value is not None}
        body = payload if isinstance(payload, (str, bytes)) else json.dumps(payload, ensure_ascii=False)
        return self.http2.post(f"/3/device/{token}", content=body, headers=named)

    def alert(self, token, text, topic=COFFEE, **headers):
        answer = self.push(token, {"aps": {"alert": text}}, topic, **headers)
        assert answer.status_code == 200, answer.text
        return answer

    def frames(self, *frames, topic=apnsim.TOPIC, answer=False):
        """Writes frames over a connection of their own; returns what came back to the end, where an answer is expected."""
        with self.gateway(topic) as connection:
            connection.sendall(b"".join(frames))
            return apnsim.read_to_end(connection) if answer else b""

    def gateway(self, topic=apnsim.TOPIC):
        return self.simulator.connect(self.simulator.gateway, self.certificate(topic))

    def certificate(self, topic):
        """That of the topic, issued when it is needed first."""
        if topic == apnsim.TOPIC:
            return self.simulator.provider
        path = Path(self.simulator.certs) / f"{topic}.pem"
        if not path.exists():
            apnsim.apnsim("certs", "issue", topic, "--certs", self.simulator.certs)
        return apnsim.Provider(path, path.with_suffix("").with_name(f"{topic}.key"))


def framed(identifier, token, payload, priority=10):
    """Command 2, with the items token, payload, identifier and priority."""
    token = bytes.fromhex(token)
    items = [(1, token), (2, payload), (3, struct.pack(">I", identifier)), (5, bytes([priority]))]
    data = b"".join(struct.pack(">BH", number, len(item)) + item for number, item in items)
    return struct.pack(">BI", 2, len(data)) + data


def card(text, **more):
    return json.dumps({"aps": {"alert": text, "badge": 1, "sound": "coin.caf"}, **more}).encode()


ORDER = {
    "aps": {
        "alert": {
            "title": "Order 1042 is ready", "subtitle": "Kaffa, Löwenstrasse",
            "body": "Your flat white is on the counter. It stays hot for about six minutes.",
        },
        "badge": 3, "sound": "cup.caf", "category": "ORDER", "interruption-level": "time-sensitive",
        "thread-id": "orders",
    },
    "order": 1042,
}

HOSTILE = (
    "<img src=x onerror=\"window.hurt=1\"><script>window.hurt=1</script><b>bold</b> \u001b[31mred\u001b[0m \u202egnp.exe\u202c "
    "&amp; {{list}} https://evil.example/")

TOO_LONG = "Card ending 2201: 310.00 at Globus, Bahnhofstrasse. Not you? Tap to freeze the card at once and talk to a person."


def trip(timestamp, **state):
    return {"aps": {"event": "update", "timestamp": timestamp, "content-state": {"headline": "On time", **state}}}


def play(providers, expiry=None, between=lambda: None, isHostile=True):
    """Everything that the page has to show; the ids of the notifications by what they stand for. `between` is called after
    each group of them, and may send some of its own: it returns how many."""
    push, alert = providers.push, providers.alert
    ids, sent = {}, 0

    def note(*names):
        nonlocal sent
        for name in names:
            sent += 1
            ids[name] = f"n{sent}"
            address = f"{providers.simulator.control}/api/v1/notifications/n{sent}"
            apnsim.wait_until(lambda: control.call("GET", address)[0] == 200, f"{name}, n{sent}")
        sent += between() or 0

    for name, text in [("flat", "Two espressi, one cortado"), ("filter", "Filter coffee, large")]:
        alert(BOB, text)
        note(name)
    push(BOB, {"aps": {"content-available": 1}}, apns_push_type="background", apns_priority=5)
    note("background")
    push(ERIN, {"aps": {"alert": {"title": "Order 1041", "body": "We have started on it"}}})
    push(ERIN, {"aps": {"alert": {"title": "Order 1041 is ready", "body": "Oat cappuccino, cinnamon"}}})
    note("replaced", "stored")
    assert push(CAROL, {"aps": {"alert": {"title": "Order 1040 is ready", "body": "Two espressi"}}}).status_code == 410
    note("unregistered")
    # The third is too long for command 1, and three more are on the wire behind it; one of them comes again.
    reference = "x" * (274 - len(card(TOO_LONG, bank={"ref": ""})))
    too_long = card(TOO_LONG, bank={"ref": reference})
    assert len(too_long) == 274
    frames = [enhanced(0x4AA, BOB_BANK, card("Card ending 7756: 18.20 at Migros"))]
    frames += [enhanced(0x4AB, BOB_BANK, card("Card ending 7756: 4.60 at Avec"))]
    frames += [enhanced(0x4AC, BOB_BANK, too_long)]
    lost = ["Card ending 1093: 5.40 at Coop Pronto", "Card ending 8820: 64.00 at SBB", "Card ending 4417: 12.80 at Kiosk"]
    frames += [enhanced(0x4AD + place, BOB_BANK, card(text)) for place, text in enumerate(lost)]
    assert providers.frames(*frames, topic=BANK, answer=True)[:2] == b"\x08\x07"
    note("migros", "avec", "tooLong", "lost", "lost2", "lost3")
    providers.frames(enhanced(0x4AD, BOB_BANK, card(lost[0])), topic=BANK)
    note("again")
    providers.frames(framed(7, BOB_GAME, json.dumps({"aps": {
        "alert": {"loc-key": "GAME_PLAY_REQUEST_FORMAT", "loc-args": ["Jenna", "Frank"], "action-loc-key": "PLAY"},
        "sound": "chime"}}).encode()), topic=GAME)
    note("localised")
    live = {"topic": ACTIVITIES, "apns_push_type": "liveactivity"}
    push(TRIP, trip(1_795_615_440, stopsToGo=2, arrival=817312320, platform="7"), **live)
    push(TRIP, trip(1_795_615_441, stopsToGo=1, arrival="15:12", platform="7"), **live)
    note("activity", "undecodable")
    push(BOB, "[1, 2")
    note("dropped")
    if isHostile:
        push(BOB, {"aps": {"alert": HOSTILE, "sound": "</script>"}, "<i>": "\u0007"})
        note("hostile")
    push(BOB, ORDER, apns_collapse_id="order-1042", **({"apns_expiration": expiry} if expiry else {}))
    note("order")
    return ids
