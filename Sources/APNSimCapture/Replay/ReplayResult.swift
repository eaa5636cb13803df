package import APNSimCore

/// The result of a replay.
@dynamicMemberLookup
package struct ReplayResult: Sendable {
  package var notifications: UInt64 = 0
  package var connections = 0
  package var outcomes: [Outcome: UInt64] = [:]
  /// The findings of the comparison; its members are this one's.
  package var tally = ComparisonTally<ReplayDifference>(mostKept: 1)
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

  package subscript<Member>(dynamicMember member: KeyPath<ComparisonTally<ReplayDifference>, Member>)
    -> Member
  {
    tally[keyPath: member]
  }
}

/// The recorded commands that a replay could not carry out.
package struct CommandTally: Sendable {
  /// The number of commands that this program does not know, or cannot read.
  package private(set) var unknown: UInt64 = 0
  /// The place of the first of them, and what is wrong with it.
  package private(set) var firstUnknown: String?
  /// The number of commands that succeeded in the recording and failed in the replay.
  package private(set) var failed: UInt64 = 0
  /// The error of the first of them.
  package private(set) var firstFailure: String?
  /// The error of the last command, until the capture shows whether it failed in the recording.
  private var failure: String?

  mutating func addUnknown(_ mistake: String) {
    unknown += 1
    firstUnknown = firstUnknown ?? mistake
  }

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
