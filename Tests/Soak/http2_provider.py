"""What a provider of today writes and reads, frame by frame: requests with literal headers, answers by their first byte."""

import struct

from provider import PAYLOAD
from server import TOPIC

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 9
END_STREAM, END_HEADERS = 1, 4
# The indexed field :status 200 (RFC 7541, appendix A).
ACCEPTED = 0x88


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


SETTINGS_FRAME = frame(SETTINGS)
ACKNOWLEDGED = frame(SETTINGS, 1)
BEGINNING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SETTINGS_FRAME


def field(name, value):
    """A literal that is not indexed, without Huffman coding (RFC 7541, 6.2.2)."""
    def text(string):
        count = len(string)
        assert count < 127 + 128, "a longer text needs a longer number"
        return (bytes([count]) if count < 127 else bytes([127, count - 127])) + string
    return b"\0" + text(name.encode()) + text(value.encode())


# :method POST and :scheme https stand in the static table.
PSEUDO = b"\x83\x87" + field(":authority", "localhost")
REST = field("apns-topic", TOPIC) + field("apns-push-type", "alert")


def block(token):
    return PSEUDO + field(":path", f"/3/device/{token.hex()}") + REST


def request(stream, token, payload=PAYLOAD):
    return frame(HEADERS, END_HEADERS, stream, block(token)) + frame(DATA, END_STREAM, stream, payload)


def requests(count, token, first=0, payload=PAYLOAD):
    """So many requests, one after the other, on the streams after the first so many."""
    return b"".join(request(2 * number + 1, token(number), payload) for number in range(first, first + count))


def frames(read):
    """The frames of what was read: kind, flags, stream, payload. An unfinished one is left out."""
    place = 0
    while place + 9 <= len(read):
        count = int.from_bytes(read[place:place + 3], "big")
        kind, flags, stream = struct.unpack_from(">BBI", read, place + 3)
        if place + 9 + count > len(read):
            return
        yield kind, flags, stream, bytes(read[place + 9:place + 9 + count])
        place += 9 + count


def accepted(read):
    """The streams that were answered 200, in order."""
    return [stream for kind, _, stream, payload in frames(read) if kind == HEADERS and payload[:1] == bytes([ACCEPTED])]


def goodbye(read):
    """The last stream and the code of the last GOAWAY; none without one."""
    said = [payload for kind, _, _, payload in frames(read) if kind == GOAWAY]
    return struct.unpack(">II", said[-1][:8]) if said else None
