"""What every provider must find, whatever its library."""

import datetime

from simulator import device, scenario, token

COUNT = 1000
BAD = 500  # where the bad one stands among them
TOKENS = [token(number) for number in range(1, COUNT + 1)]
UNKNOWN = token(0xBAD)
SHUTDOWN = "41504e53494d" "e00a" + "00" * 24  # a magic token: status 10 in the middle of whatever is sent


def with_one_bad(good=TOKENS, bad=UNKNOWN):
    """The tokens with the bad one in the place of the one at `BAD`."""
    return good[:BAD] + [bad] + good[BAD + 1:]


def known_devices():
    """A scenario for `--tokens known` in which every token is a device, but not the bad one."""
    return scenario(devices=[device(token) for token in TOKENS])


def feedback_tuples(count=COUNT):
    """(token, seconds since 1970) of so many scripted tuples."""
    start = datetime.datetime(2012, 6, 1, tzinfo=datetime.timezone.utc)
    return [(token(number), int(start.timestamp()) + number) for number in range(1, count + 1)]


def feedback_scenario(tuples, topic="com.example.app"):
    def moment(seconds):
        return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    return scenario(feedback=[(topic, token, moment(seconds)) for token, seconds in tuples])


def assert_accepted_once_each(simulator, tokens):
    """Exactly these were accepted: none is missing, none came twice, none is there besides."""
    assert sorted(n["token"] for n in simulator.accepted()) == sorted(tokens)


def assert_rejected(simulator, status, identifier, command):
    """One notification was rejected, with that status and identifier."""
    [rejected] = simulator.notifications("rejected")
    found = rejected["status"], rejected["identifier"], rejected["command"]
    assert found == (status, f"{identifier:08x}", command)


def assert_one_connection(simulator, count):
    """So many notifications came, all of them on one connection."""
    notifications = simulator.notifications()
    assert len(notifications) == count
    assert len({n["connection"] for n in notifications}) == 1


def assert_shutdown_names_the_last_accepted(simulator, reported):
    """On the connection that was shut down: all up to that identifier was accepted, nothing after it."""
    first = simulator.notifications()[0]["connection"]
    accepted = [int(n["identifier"], 16) for n in simulator.accepted() if n["connection"] == first]
    assert accepted == list(range(accepted[0], accepted[0] + len(accepted))) and accepted[-1] == reported
