import APNSimWire

/// The notifications sent over one connection, and their outcome as far as a provider can know it.
package struct SendReport: Sendable {
  package let plan: NotificationPlan
  /// The number of notifications written before the end.
  package let written: Int
  package let bytes: Int
  /// From the first write to the last.
  package let writing: Duration
  /// From the first write to the answer.
  package let answering: Duration?
  package let ending: SendEnding

  package init(
    plan: NotificationPlan,
    written: Int,
    bytes: Int,
    writing: Duration,
    answering: Duration? = nil,
    ending: SendEnding
  ) {
    (self.plan, self.written, self.bytes) = (plan, written, bytes)
    (self.writing, self.answering, self.ending) = (writing, answering, ending)
  }

  /// The notification that the gateway refused, by number; nil when none, or when the answer names none of
  /// ours.
  package var refusedIndex: Int? {
    guard case .answered(let response) = ending, response.status != .shutdown else { return nil }
    return namedIndex
  }

  /// The notification that the answer names. The gateway names no identifier that it knows with 0, so a 0 is
  /// believed only for a status that says which notification it is about.
  package var namedIndex: Int? {
    guard case .answered(let response) = ending else { return nil }
    if response.identifier == .none, response.status == .unknown || response.status == .protocolError {
      return nil
    }
    return plan.index(of: response.identifier).flatMap { $0 < written ? $0 : nil }
  }

  /// The number of notifications that the gateway accepted; nil if a provider cannot know.
  package var accepted: Int? {
    switch ending {
    case .silence: written
    case .answered(let response): namedIndex.map { response.status == .shutdown ? $0 + 1 : $0 }
    case .closed, .unintelligible, .broken, .stalled: nil
    }
  }

  /// The indices of the notifications that were discarded unread and have to be sent again.
  package var discarded: Range<Int>? {
    guard case .answered(let response) = ending, let named = namedIndex else { return nil }
    return response.status == .shutdown || named < written ? (named + 1)..<max(written, named + 1) : nil
  }

  /// True if everything was accepted, as far as a provider can know.
  package var isSuccess: Bool { ending == .silence }
}
