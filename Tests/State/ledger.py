"""What was sent and what was answered, which a state has to hold to."""

import collections
import threading


class Ledger:
    """Filled by the threads of a load; read when they have ended."""

    def __init__(self):
        self.lock = threading.Lock()
        # Notifications that were answered, or accepted and followed by an answer, since they were last looked for.
        self.apns_ids, self.identifiers = set(), set()
        # By device: the number of the last notification that was sent to it, and of the last that was answered.
        self.sent, self.answered = collections.Counter(), collections.Counter()
        # Requests that the rule decides.
        self.counted_sent = self.counted_answered = 0
        # Tokens on the feedback list for certain; read by somebody, perhaps; read by somebody to the end of the list.
        self.listed, self.perhaps_read, self.read = set(), set(), set()
        # The devices, as the control API was told of them: None where there is none, or whether it is online.
        self.devices = {}
        # The devices that it was being told about when it ended.
        self.uncertain = set()
        # The connected device, and the notifications that came to it, in their order.
        self.phone, self.received = None, []
        # The clock, as the last answer said, and as the next one would have.
        self.clock = self.later = None

    def is_everything_there(self, count):
        """True once so many notifications were answered and each part of the load has come to something."""
        answered = len(self.apns_ids) + len(self.identifiers)
        return answered > count and self.listed and self.counted_answered and self.received and self.read
