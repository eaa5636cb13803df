"""Providers of each interface: what they say in turn, and a transcript of what comes back."""

import base64
import struct

from http2_provider import (
    ACKNOWLEDGED, BEGINNING, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PING, PSEUDO, REST, RST_STREAM, SETTINGS, field,
    frame, frames)
from line import Line
from provider import enhanced
from server import TOPIC

WINDOW_UPDATE = 8
INITIAL_WINDOW = 4
NAMES = {
    DATA: "DATA", HEADERS: "HEADERS", RST_STREAM: "RST_STREAM", SETTINGS: "SETTINGS", PING: "PING", GOAWAY: "GOAWAY",
    WINDOW_UPDATE: "WINDOW_UPDATE"}
# Well-formed, and signed by nobody: under --provider-tokens any it is good.
JWT = ".".join(
    base64.urlsafe_b64encode(part).decode().rstrip("=")
    for part in (b'{"alg":"ES256","kid":"APNSIMKEY1"}', b'{"iss":"APNSIMTEAM","iat":1767225600}', bytes(range(64))))
PAYLOAD = b'{"aps":{"alert":"hi"}}'


def token(device, number):
    """That of a device of the connection so and so: alice is online, bob is offline, carol has lost the app."""
    return bytes([0xA0 + number, {"alice": 0xA, "bob": 0xB, "carol": 0xC}[device]]) * 16


def scenario(count):
    """The devices that so many connections push to."""
    def device(name, number, **more):
        app = {"topic": TOPIC, "environment": "production", "token": token(name, number).hex(), **more}
        return {"apps": [app], "online": name != "bob"}
    devices = {}
    for number in range(1, count + 1):
        devices[f"alice{number}"] = device("alice", number)
        devices[f"bob{number}"] = device("bob", number)
        devices[f"carol{number}"] = device("carol", number, installed=False)
    return {"version": 1, "seed": 1, "apps": {TOPIC: {"environment": "production"}}, "devices": devices}


class Provider:
    """One connection. `turns` says what it sends, one thing after the other."""

    has_certificate = True
    # Notifications by the device; the bad one has a token that is a byte short.
    SAYS = [["alice"], ["carol", "bob", "carol", "carol", "bad", "alice"]]

    def __init__(self, ends, contexts, number):
        self.line = Line(ends[self.listener], contexts[self.has_certificate])
        self.number, self.transcript, self.told = number, [], 0

    @property
    def turns(self):
        return len(self.SAYS)

    def say(self, turn):
        said = self.SAYS[turn]
        self.transcript.append("> " + ", ".join(said))
        first = 1 + sum(map(len, self.SAYS[:turn]))
        self.line.write(b"".join(self.push(first + place, device) for place, device in enumerate(said)))

    def pump(self):
        moved = self.line.pump()
        self.begin()
        for heard in self.line.heard[self.told:]:
            self.told += 1
            self.transcript += [f"< {heard}"] if isinstance(heard, str) else self.read(heard)
        return moved

    def begin(self):
        """Says what a connection begins with, once the handshake is over."""

    def finish(self):
        if not self.line.has_ended:
            self.transcript.append("> close_notify, end")
        self.line.finish()

    def close(self):
        if not self.line.has_ended:
            self.transcript.append("left open by the service")
        self.line.close()


class Gateway(Provider):
    listener = "gateway"

    def push(self, identifier, device):
        return enhanced(identifier, token("alice", 1)[1:] if device == "bad" else token(device, self.number), PAYLOAD)

    def read(self, piece):
        return [f"< {piece.hex()}"]


class Feedback(Gateway):
    """A reader of the list. Where everything was sent, the pause before the end has begun, which is a year here; a
    connection that a fault holds open ends when the reader's side does."""

    listener = "feedback"
    SAYS = []

    def finish(self):
        if not self.line.has_ended:
            self.transcript.append("> end")
        self.line.finish(says_so=False)


class Requests(Provider):
    listener = "http2"
    has_certificate = False
    SAYS = [*Provider.SAYS[:-1], [*Provider.SAYS[-1], "ping"]]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.rest, self.window, self.has_begun = b"", 65_535, False

    def begin(self):
        if self.line.is_open and not self.has_begun:
            self.has_begun = True
            self.line.write(BEGINNING)

    def push(self, place, device):
        if device == "ping":
            return frame(PING, payload=b"digested")
        stream = 2 * place - 1
        named = "bad" if device == "bad" else token(device, self.number).hex()
        block = PSEUDO + field(":path", f"/3/device/{named}") + REST + field("authorization", f"bearer {JWT}")
        asked = frame(HEADERS, END_HEADERS, stream, block)
        # A body that has no room stays here.
        return asked + (frame(DATA, END_STREAM, stream, PAYLOAD) if self.window >= len(PAYLOAD) else b"")

    def read(self, piece):
        """The frames that end in the piece, which is as long as said."""
        self.rest += piece
        lines = [f"< {len(piece)} bytes"]
        for kind, flags, stream, payload in frames(self.rest):
            self.rest = self.rest[9 + len(payload):]
            lines.append(f"<   {NAMES.get(kind, kind)} flags {flags} stream {stream} {self.described(kind, payload)}".rstrip())
            if kind == SETTINGS and not flags & 1:
                self.window = dict(struct.iter_unpack(">HI", payload)).get(INITIAL_WINDOW, self.window)
                self.line.write(ACKNOWLEDGED)
        return lines

    @staticmethod
    def described(kind, payload):
        match kind:
            case 0: return payload.decode(errors="backslashreplace")
            case 3 | 8: return str(int.from_bytes(payload, "big"))
            case 4: return " ".join(f"{name}={value}" for name, value in struct.iter_unpack(">HI", payload))
            case 7: return "{} {} {}".format(*struct.unpack(">II", payload[:8]), payload[8:].decode(errors="backslashreplace"))
            case _: return payload.hex()


KINDS = [Gateway, Requests, Feedback]
