"""What a provider writes and reads, byte by byte, independent of the simulator's own code."""

import struct

PAYLOAD = b'{"aps":{"alert":"Hello"}}'
NO_EXPIRY = 0x7FFFFFFF


def enhanced(identifier, token, payload=PAYLOAD, expiry=NO_EXPIRY):
    """Command 1: command, identifier, expiry, token length, token, payload length, payload."""
    token = bytes.fromhex(token)
    head = struct.pack(">BIIH", 1, identifier, expiry, len(token))
    return head + token + struct.pack(">H", len(payload)) + payload


def facts(raw):
    """What a frame says, or as much of it as there is: command, identifier, expiry, priority and payload size."""
    command = raw[0]
    found = {"command": command, "identifier": None, "expiry": None, "priority": 10, "payloadSize": 0}
    if command == 2:
        at = 5
        while at + 3 <= len(raw):
            item, length = struct.unpack_from(">BH", raw, at)
            data = raw[at + 3:at + 3 + length]
            if item == 2:
                found["payloadSize"] = length
            elif item == 4 and length == 4:
                found["expiry"] = struct.unpack(">i", data)[0]
            elif item == 5 and length == 1:
                found["priority"] = data[0]
            at += 3 + length
        return found
    at = 1
    if command == 1 and len(raw) >= 9:
        found["expiry"] = struct.unpack_from(">i", raw, 5)[0]
        at = 9
    if len(raw) >= at + 2:
        at += 2 + struct.unpack_from(">H", raw, at)[0]
    if len(raw) >= at + 2:
        found["payloadSize"] = struct.unpack_from(">H", raw, at)[0]
    return found


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
