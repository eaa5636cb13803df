"""Each fault that the program's schema of scenarios has, with each kind of argument, on each listener, over TLS.

A fault that is added later joins by itself. Sample arguments are made of the schema: each name of a short list and two of a
long one, the first example of a duration, 3 for a number, and one optional argument at a time.

Two connections each have a sandbox of their own. They push to devices that are there, offline, or without the app, and one
notification is bad. The clock goes on where nothing follows any more from what was said. Nothing waits for real time:
whoever has what was said, and has answered what the same event loops were asked later, has done all there was to do.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor

from pushes import KINDS, TOPIC, scenario, token
from served import Loops, Server

AT_ONCE = 4
# No more than this many times, the clock goes on by a second, as long as that brings something.
MOST_SECONDS = 500
LOST = "2025-12-31T00:00:00Z"


def samples(schema, root):
    """Values that a schema takes, a few of each kind."""
    if "$ref" in schema:
        return samples(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if choices := schema.get("oneOf") or [one for one in schema.get("anyOf", []) if "required" not in one]:
        return [value for choice in choices for value in samples(choice, root)]
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        names = [name for name in schema["enum"] if name is not None]
        return names if len(names) <= 6 else [names[0], names[-1]]
    if "examples" in schema:
        return schema["examples"][:1]
    if "properties" in schema:
        return objects(schema, root)
    kinds = schema.get("type", [])
    if "integer" in kinds:
        return [min(max(3, schema.get("minimum", 0)), schema.get("maximum", 3))]
    return ["some text"] if "string" in kinds and "pattern" not in schema else []


def objects(schema, root):
    """An object with the members that have to be there, and one for each value of each other member."""
    values = {name: samples(one, root) for name, one in schema["properties"].items()}
    least = {name: values[name][0] for name in schema.get("required", [])}
    # Of some members one has to be there, whichever it is.
    either = [
        name for rule in schema.get("allOf", []) for choice in rule.get("anyOf", []) for name in choice.get("required", [])]
    beside = least | {name: values[name][0] for name in either[:1]}
    return ([least] if least else []) + [
        (least if name in either else beside) | {name: value}
        for name in values if name not in least for value in values[name]]


def faults(root):
    """The faults by their names, each as it can stand at `fault`: alone where it can, and with its arguments."""
    alone = root["$defs"]["faultName"]["enum"]
    return {
        name: [name] * (name in alone) + [{name: value} for value in samples(schema, root) if value is not True]
        for name, schema in root["$defs"]["fault"]["properties"].items()}


class Played:
    """A fault with its arguments, for the connections of one kind to a sandbox of their own."""

    def __init__(self, server, contexts, loops, kind, fault):
        self.server, self.contexts, self.loops, self.kind, self.fault = server, contexts, loops, kind, fault
        self.providers = []

    def text(self, play, more):
        """Whether there is such a rule, and what was answered to it, what the connections saw and the journal."""
        status, made = self.server.call("POST", "/sandboxes", scenario(2))
        assert status == 201, made
        self.ends = json.loads(made)
        try:
            rule = {"when": {"listener": self.kind.listener}, "fault": self.fault, **more}
            status, said = self.call("POST", "/faults", rule)
            lines = [f"== {json.dumps(self.fault)}", f"{status} {said.strip()}"]
            if status == 201:
                lines += play(self)
            return status == 201, "\n".join(lines) + "\n"
        finally:
            self.server.call("DELETE", self.ends["base"], base="")

    def call(self, method, path, body=None):
        return self.server.call(method, self.ends["base"] + path, body, base="")

    # The ways to play

    def one_after_the_other(self):
        """Two connections, on the only loop: the second begins when the first has ended."""
        for number in 1, 2:
            provider = self.connect(number)
            for turn in range(provider.turns):
                self.say(provider, turn)
            self.go_on()
            self.finish(provider)
        return self.transcripts() + ["journal"] + self.journal()

    def side_by_side(self):
        """Two connections at once, which say their turns by turns. What the loops do at a moment comes in any order."""
        for number in 1, 2:
            self.connect(number)
        for turn in range(self.providers[0].turns):
            for provider in self.providers:
                self.say(provider, turn)
        self.go_on()
        for provider in self.providers:
            self.finish(provider)
        return self.transcripts() + ["journal, sorted"] + sorted(map(unordered, self.journal()))

    # The parts of a play

    def connect(self, number):
        if self.kind.listener == "feedback":
            lost = {"topic": TOPIC, "environment": "production", "token": token("alice", number).hex(), "at": LOST}
            assert self.call("POST", "/feedback", lost)[0] == 204
        provider = self.kind(self.ends, self.contexts, number)
        self.providers.append(provider)
        self.settle()
        if not provider.line.is_open:
            self.go_on()
        return provider

    def say(self, provider, turn):
        if provider.line.is_open and not provider.line.has_ended:
            provider.say(turn)
            self.settle()

    def finish(self, provider):
        provider.finish()
        self.settle()
        if not provider.line.has_ended:
            self.go_on()
        provider.close()
        self.settle()

    def settle(self):
        """Returns when everything has been done that follows from what was sent; true if something came."""
        has_come = self.pump()
        self.turn()
        while self.pump():
            has_come = True
            self.turn()
        return has_come

    def pump(self):
        return any([provider.pump() for provider in self.providers])

    def turn(self):
        for provider in self.providers:
            provider.line.wait_for_arrival()
        self.loops.turn()

    def go_on(self):
        """Lets time pass, a second at a time, until nothing comes of it."""
        for _ in range(MOST_SECONDS):
            for provider in self.providers:
                provider.transcript.append("  a second later")
            assert self.call("POST", "/clock/advance", {"by": "1s"})[0] == 200
            if not self.settle():
                return

    def transcripts(self):
        return [
            line for provider in self.providers for line in [f"connection {provider.number}", *provider.transcript]]

    def journal(self):
        """Its lines without the header, and without the ports of the providers."""
        text = self.call("GET", "/capture")[1]
        return [re.sub(r'("peer":"[^"]*:)\d+"', r'\1PORT"', line) for line in text.splitlines()[1:]]


def unordered(line):
    """The line without what says its place."""
    line = re.sub(r'^{"seq":\d+,', "{", line)
    return re.sub(r'"(n)\d+"', r'"\1"', line)


# By the number of event loops: the words for it, what the rule has beside the fault, and how it is played. With one loop the
# first match passes, so that there is something to compare with.
WAYS = {1: ("one loop", {"after": 1}, Played.one_after_the_other), 2: ("two loops", {}, Played.side_by_side)}
# Real time decides nothing: reads are taken at once, and ends come at once or never.
FLAGS = ["--provider-tokens", "any", "--read-delay", "0", "--ending-pause", "0", "--feedback-pause", "365d", "--drain", "0"]


def fault_texts(program, folder, loop_count):
    """The texts by their names: one for each listener and fault."""
    way, more, play = WAYS[loop_count]
    with Server(program, folder, "--loops", str(loop_count), *FLAGS, name=f"faults-{loop_count}") as server:
        contexts = {has_certificate: server.context(has_certificate) for has_certificate in (True, False)}
        free = [Loops(server, loop_count) for _ in range(AT_ONCE)]

        def played(kind, fault):
            loops = free.pop()
            try:
                return Played(server, contexts, loops, kind, fault).text(play, more)
            finally:
                free.append(loops)

        schema = json.loads(server.call("GET", "/scenario/schema")[1])
        with ThreadPoolExecutor(AT_ONCE) as pool:
            under_way = {
                f"fault {kind.listener} {name}, {way}": [pool.submit(played, kind, fault) for fault in variants]
                for kind in KINDS for name, variants in faults(schema).items()}
            found = {name: [one.result() for one in variants] for name, variants in under_way.items()}
        for loops in free:
            loops.close()
    # That a fault cannot be on a listener is said once.
    return {
        name: "".join(text for _, text in variants)
        for name, variants in found.items() if loop_count == 1 or any(is_played for is_played, _ in variants)}
