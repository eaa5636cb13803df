package import APNSimCore

/// What came of a replay.
package struct ReplayResult: Sendable {
  /// The first difference, in full.
  package struct Difference: Sendable {
    package enum Kind: String, Sendable {
      /// The bytes that went to a provider.
      case answer
      /// What became of a notification.
      case verdict
      /// Who ended a connection, on which the same bytes had gone to the provider.
      case ending
      /// A line of the journal.
      case journal
    }

    package var kind: Kind
    /// As the capture calls it.
    package var connection: ConnectionID?
    /// As the capture calls it: `n57`.
    package var notification: String?
    package var recorded: [UInt8]
    package var replayed: [UInt8]
    /// Whether an answer is the feedback service's.
    package var isFeedback = false

    /// Whether both sides are text; an answer is bytes.
    package var isText: Bool { kind != .answer }
  }

  package var notifications: UInt64 = 0
  package var connections = 0
  package var outcomes: [Outcome: UInt64] = [:]
  /// Whether the whole journal was compared, not only what went to providers.
  package var comparesJournal = false
  /// Whether there was anything to compare answers with.
  package var hasRecordedAnswers = false
  package var differences: UInt64 = 0
  package var firstDifference: Difference?
  package var damage: CaptureDamage?
  package var unknownEvents: [String: Int] = [:]
  /// Keys that this program does not know, and on how many lines they stand.
  package var unknownKeys: [String: Int] = [:]
  /// Behind the first, nothing was compared.
  package var gaps = CaptureGaps()
  /// Commands that this program does not know.
  package var unknownCommands: UInt64 = 0
  /// Commands that were carried out when they were recorded, and could not be in the replay's situation.
  package var failedCommands: UInt64 = 0
  /// Why the first of them could not.
  package var firstFailedCommand: String?
  /// The replay has lines behind the last one that was recorded: the recording was cut off.
  package var endsEarly = false
  /// Bytes of providers that the capture does not have.
  package var missingBytes: UInt64 = 0
  /// Bytes to providers that it does not have.
  package var missingAnswerBytes: UInt64 = 0
  /// Connections of which bytes are missing, so that their answers are not compared.
  package var uncomparedConnections = 0
  /// Connections of which the capture does not have what came back.
  package var unseenConnections = 0
  /// Connections that the service has answered or ended in the replay, and whose end the capture does not show: they
  /// were reset or broke, or it goes on too short a time.
  package var openConnections = 0
  /// Feedback connections that got a list which the capture does not explain, and which is not compared therefore.
  package var unexplainedLists = 0
  /// What each connection's provider had to send again, for connections on which something was lost; by the capture's
  /// numbers.
  package var resends: [ConnectionView] = []
  /// The names that the capture has for the replay's connections, where they differ.
  package var names: [ConnectionID: ConnectionID] = [:]

  package var isSame: Bool { differences == 0 }

  /// Whether what went to every provider could be compared.
  package var comparesEverything: Bool {
    uncomparedConnections + unseenConnections + openConnections + unexplainedLists == 0
  }
}
