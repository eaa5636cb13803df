"""Pushes that wait for thousands of devices, over a kill and the storm in which the devices come back."""

import concurrent.futures
import os
import re
import urllib.request

import frames
from load import REFUSED

# 100,000 for the situation as it was met (fleet #30816); fewer in the usual run.
DEVICES = int(os.environ.get("STATE_DEVICES") or 20_000)
STORM = 400


def offline(number):
    """A magic token whose device stays offline."""
    return "41504e53494d" "0f00" + f"{number:048x}"


def stored(simulator):
    with urllib.request.urlopen(f"{simulator.control}/api/v1/metrics") as answer:
        text = answer.read().decode()
    return int(re.search(r"^apnsim_notifications_stored (\d+)$", text, re.MULTILINE)[1])


def push_to_all(simulator):
    """One notification to each device; that the last one is refused says that all others were taken."""
    with simulator.connect(simulator.gateway, simulator.provider_context) as connection:
        for start in range(0, DEVICES, 500):
            connection.sendall(b"".join(
                frames.enhanced(number + 1, offline(number), b'{"aps":{"alert":"wipe"},"n":%d}' % number)
                for number in range(start, min(start + 500, DEVICES))))
        connection.sendall(frames.enhanced(DEVICES + 1, REFUSED))
        answer = b""
        while len(answer) < 6:
            chunk = connection.recv(6 - len(answer))
            assert chunk, "the connection ended without an answer"
            answer += chunk
    assert answer == frames.error_response(8, DEVICES + 1), answer


def test_pushes_that_wait_are_delivered_after_a_kill_when_their_devices_come_back(keep, tmp_path):
    simulator = keep(tmp_path, "--keep", str(2 * DEVICES))
    simulator.start()
    push_to_all(simulator)
    assert stored(simulator) == DEVICES
    simulator.kill()

    simulator.start()
    assert stored(simulator) == DEVICES
    names = [number * DEVICES // STORM for number in range(STORM)]

    def come_back(number):
        status, _ = simulator.call("PATCH", f"/devices/{offline(number)}", {"online": True})
        assert status in (200, 204), (number, status)

    with concurrent.futures.ThreadPoolExecutor(16) as storm:
        list(storm.map(come_back, names[: STORM // 2]))
    # In the middle of the storm it is killed again.
    simulator.kill()
    simulator.start()
    with concurrent.futures.ThreadPoolExecutor(16) as storm:
        list(storm.map(come_back, names[STORM // 2:]))
    assert stored(simulator) == DEVICES - STORM
    for number in names[::40]:
        inbox = simulator.get(f"/devices/{offline(number)}/inbox")["notifications"]
        assert [each["payload"]["n"] for each in inbox] == [number], inbox
    simulator.stop()
    simulator.assert_replays_exactly()
