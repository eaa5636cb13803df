package import APNSimCore

/// The result of a replay.
@dynamicMemberLookup
package struct ReplayResult: Sendable {
  /// The first difference, in full.
  package struct Difference: Sendable {
    package enum Kind: String, Sendable {
      /// The bytes that went to a provider.
      case answer
      /// The answer to a request of a capture that no simulator recorded.
      case request
      /// The verdict on a notification.
      case verdict
      /// The side that ended a connection on which the same bytes had gone to the provider.
      case ending
      /// A line of the journal.
      case journal
    }

    /// The two sides.
    package enum Content: Sendable {
      case connection(ConnectionDifference)
      case request(StreamDifference)
      case verdict(recorded: String, replayed: String)
      /// Lines; empty for a journal that has ended.
      case journal(recorded: [UInt8], replayed: [UInt8])
    }

    package var content: Content
    /// The connection's number in the capture.
    package var connection: ConnectionID?
    /// The notification's name in the capture: `n57`.
    package var notification: String?

    package var kind: Kind {
      switch content {
      case .connection(.answer): .answer
      case .connection(.end): .ending
      case .request: .request
      case .verdict: .verdict
      case .journal: .journal
      }
    }

    /// The sides as bytes: those of an answer from the first different error response or tuple on, or UTF-8.
    package var recorded: [UInt8] {
      switch content {
      case .connection(.answer(let difference)): difference.recorded.bytes
      case .connection(.end(let difference)): Array(difference.recordedText.utf8)
      case .request(let difference): Array(difference.recordedText.utf8)
      case .verdict(let recorded, _): Array(recorded.utf8)
      case .journal(let recorded, _): recorded
      }
    }

    package var replayed: [UInt8] {
      switch content {
      case .connection(.answer(let difference)): difference.replayed.bytes
      case .connection(.end(let difference)): Array(difference.replayedText.utf8)
      case .request(let difference): Array(difference.replayedText.utf8)
      case .verdict(_, let replayed): Array(replayed.utf8)
      case .journal(_, let replayed): replayed
      }
    }

    /// True where both sides are text; an answer is bytes.
    package var isText: Bool { kind != .answer }
  }

  package var notifications: UInt64 = 0
  package var connections = 0
  package var outcomes: [Outcome: UInt64] = [:]
  /// What the comparison found; its members are this one's.
  package var tally = ComparisonTally()
  /// True where the whole journal was compared, not only the answers to providers.
  package var comparesJournal = false
  package var damage: CaptureDamage?
  package var unknownEvents: [String: Int] = [:]
  /// Keys that this program does not know, with the number of lines that have them.
  package var unknownKeys: [String: Int] = [:]
  /// The gaps in the capture; after the first, nothing was compared.
  package var gaps = CaptureGaps()
  package var commands = CommandTally()
  /// The parts of the run that a reset or a new scenario ended, and the notifications that they had kept.
  package var endedParts = 0
  package var notificationsOfEndedParts: UInt64 = 0
  /// True where the replay has lines after the last recorded one: the recording was cut off.
  package var endsEarly = false
  /// The number of providers' bytes that the capture does not have.
  package var missingBytes: UInt64 = 0
  /// The number of bytes to providers that the capture does not have.
  package var missingAnswerBytes: UInt64 = 0
  /// The notifications that providers had to send again, for connections on which something was lost; with the
  /// capture's numbers.
  package var resends: [ConnectionView] = []
  /// The capture's numbers of the replay's connections, where they differ.
  package var names: [ConnectionID: ConnectionID] = [:]

  package subscript<Member>(dynamicMember member: KeyPath<ComparisonTally, Member>) -> Member {
    tally[keyPath: member]
  }
}

/// The recorded commands that a replay could not carry out.
package struct CommandTally: Sendable {
  /// The number of commands that this program does not know.
  package private(set) var unknown: UInt64 = 0
  /// The number of commands that succeeded in the recording and failed in the replay.
  package private(set) var failed: UInt64 = 0
  /// The error of the first of them.
  package private(set) var firstFailure: String?
  /// The error of the last command, until the capture shows whether it failed in the recording.
  private var failure: String?

  mutating func addUnknown() { unknown += 1 }

  mutating func fail(_ reason: String) { failure = reason }

  /// Counts the command that failed last, unless the capture has that failure too.
  mutating func settle(before entry: CaptureEntry?) {
    guard let failure else { return }
    self.failure = nil
    if case .other("commandFailed")? = entry?.kind { return }
    failed += 1
    firstFailure = firstFailure ?? failure
  }
}
