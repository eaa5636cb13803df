"""The goals of speed: one table, by which `make bench` and `make count-program` say whether they are met."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """What is asked for: at most so much, or at least. `beyond` is what would be better still."""
    asked: float
    beyond: float | None = None
    isAtLeast: bool = False

    def isMet(self, value):
        return self._reaches(value, self.asked)

    def isBeyond(self, value):
        return self.beyond is not None and self._reaches(value, self.beyond)

    @property
    def missing(self):
        """The words behind a figure that misses it."""
        return f"instead of at {'least' if self.isAtLeast else 'most'} {self._number}"

    def _reaches(self, value, bound):
        return value >= bound if self.isAtLeast else value <= bound

    def __str__(self):
        return f"{'>=' if self.isAtLeast else '<='} {self._number}"

    @property
    def _number(self):
        return f"{self.asked:,.0f}" if self.asked >= 1000 else f"{self.asked:.3g}"


def atLeast(asked):
    return Goal(asked, isAtLeast=True)


# Ratios, by CPU time, to what a row is beside: to a C program that decrypts and skips the same bytes, to one on
# libnghttp2, to a mock, or to the simulator without what is measured. Latencies are ratios of times.
RATIOS = {
    "binary, 1 per record": Goal(1.3, 1.2),
    "binary, 10 per record": Goal(3, 2.5),
    "binary, 100 per record": Goal(4.5, 3.5),
    "binary, after an error": Goal(1.1),
    "binary, one per write": atLeast(2.5),
    "bad frame to error packet, median": Goal(1.3),
    "bad frame to error packet, p99": Goal(2),
    "HTTP/2, 100 at once": Goal(0.8, 0.6),
    "HTTP/2, one at a time": Goal(1.1, 1.05),
    "HTTP/2, one at a time, busy neighbour": Goal(1.3, 1.1),
    "HTTP/2, 16,000 a second": Goal(0.75),
    "HTTP/2, bodies of 4 KB": Goal(1.3),
    "binary, --record": Goal(1.4),
    "binary, --state": Goal(1.1),
    "HTTP/2, --record": Goal(1.6),
    "binary, offline replay": Goal(1),
    "HTTP/2, offline replay": Goal(1.2),
    "50 rules": Goal(1.3),
    "observed": Goal(1.05),
    "page open": Goal(1.1),
    "lookups beside a million stored": Goal(2),
    "feedback": atLeast(0.9),
    "mock, binary": Goal(0.05),
    "mock, HTTP/2 on Node": Goal(1 / 15),
    "mock, HTTP/2 on Python": Goal(1 / 100),
}

# Instructions of the whole program in user space, by callgrind: the difference between N and 2 N, divided by N. Those
# of the start are all until it is ready.
INSTRUCTIONS = {
    "notification, 1 per record": Goal(9_500, 8_000),
    "notification, 100 per record": Goal(2_700, 2_200),
    "request": Goal(18_000, 13_500),
    "request, more with --record": Goal(9_000),
    "request, more with --state": Goal(3_000),
    "start": Goal(80_000_000),
}

# Figures in the unit of their row.
FIGURES = {
    "idle connection, binary": Goal(24, 20),
    "idle connection, HTTP/2": Goal(24, 20),
    "idle connection, HTTP/2 after 100 at once": Goal(40),
    "stored notification": Goal(300),
    "start": Goal(30),
    "--state, more": Goal(0.15),
    "snapshot of a million devices, pause": Goal(60),
    "snapshot of a million devices, size": Goal(150),
    "start from a million devices": Goal(500),
    "start after a kill": Goal(1500),
    "query of 100,000": Goal(50),
    "reset": Goal(100),
    "wait during a reset": Goal(1),
}
