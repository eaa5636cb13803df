"""A provider that writes all it has and only then looks: the error response must still be there."""

import concurrent.futures

from frames import enhanced, error_response
from simulator import device, read_to_end, scenario, token

RUNS, FRAMES, BAD = 200, 5000, 100
GOOD, UNKNOWN = token(1), token(2)
# There is little in it to read: each of a million of them is looked at once more for what is sent again.
PAYLOAD = b'{"aps":{}}'.ljust(25)
STREAM = b"".join(enhanced(n, UNKNOWN if n == BAD else GOOD, PAYLOAD) for n in range(1, FRAMES + 1))
FRAME = len(STREAM) // FRAMES


def test_the_error_response_survives_five_thousand_frames_two_hundred_times(start, capsys):
    # A million notifications: no journal, there would be hundreds of megabytes of it.
    # The worst case: the end follows the response at once.
    glued = ("--ending-pause", "0")
    simulator = start("--tokens", "known", *glued, scenario=scenario(devices=[device(GOOD)]), record=False)
    with concurrent.futures.ThreadPoolExecutor(2) as providers:
        answers = list(providers.map(lambda run: written_then_read(simulator, run), range(RUNS)))
    received = answers.count(error_response(8, BAD))
    with capsys.disabled():
        print(f"\nthe error response arrived {received} times out of {RUNS} ", end="")
    assert received == RUNS


def written_then_read(simulator, run):
    """Writes the stream, mostly 50 frames at a time, now and then frame by frame or at once; then reads."""
    frames = 1 if run % 50 == 0 else FRAMES if run % 50 == 25 else 50
    with simulator.connect(simulator.gateway) as connection:
        try:
            for first in range(0, len(STREAM), frames * FRAME):
                connection.sendall(STREAM[first:first + frames * FRAME])
            return read_to_end(connection)
        except OSError as failure:
            return failure
