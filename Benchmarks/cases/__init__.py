"""What is measured: each case alternates the servers that it compares and gives rows for its table."""
from .binary import after_error, binary, connections, feedback, latency, paced
from .http2 import http2
from .memory import http2_idle, idle, start, stored
from .mocks import http2_mocks, mock
from .queries import queries
from .recording import http2_offline, http2_record, offline, record
from .reset import reset
from .state import state, state_million
from .watching import http2_watched, observed, page, rules

ALL = [
    binary, after_error, connections, paced, latency, feedback, http2, http2_idle, http2_watched, http2_record,
    http2_offline, http2_mocks, record, offline, rules, observed, page, state, state_million, stored, idle, start, mock,
    queries, reset,
]
