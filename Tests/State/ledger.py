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
        # Tokens on the feedback list for certain; read by somebody, perhaps; read by somebody, some time ago.
        self.listed, self.perhaps_read, self.read = set(), set(), set()
        # (moment, tokens) of whole reads, which are certain once the process has lived on for a while.
        self.reads = []
        # What the control API was told of devices: None where there is none, or whether it is online.
        self.devices = {}
        # Those of them that it was being told about when it ended.
        self.uncertain = set()
        # The connected device, and the notifications that came to it, in their order.
        self.phone, self.received = None, []
        # The clock, as the last answer said, and as the next one would have.
        self.clock = self.later = None

    def settle(self, killed):
        """The process ended at that moment: what was on its way then is not certain."""
        for moment, tokens in self.reads:
            if moment < killed - 0.2:
                self.read |= tokens
        self.reads = []
