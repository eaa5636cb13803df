"""What a provider writes and reads, byte by byte, independent of the simulator's own code."""

import struct

PAYLOAD = b'{"aps":{"alert":"Hello"}}'
NO_EXPIRY = 0x7FFFFFFF


def enhanced(identifier, token, payload=PAYLOAD, expiry=NO_EXPIRY):
    """Command 1: command, identifier, expiry, token length, token, payload length, payload."""
    token = bytes.fromhex(token)
    head = struct.pack(">BIIH", 1, identifier, expiry, len(token))
    return head + token + struct.pack(">H", len(payload)) + payload


def error_response(status, identifier):
    """The six bytes of an error response: command 8, status, identifier."""
    return struct.pack(">BBI", 8, status, identifier)


def feedback_tuples(received):
    """The (token, timestamp) pairs in the bytes that the feedback service sent."""
    tuples = []
    while received:
        timestamp, length = struct.unpack_from(">IH", received)
        tuples.append((received[6:6 + length].hex(), timestamp))
        received = received[6 + length:]
    return tuples
