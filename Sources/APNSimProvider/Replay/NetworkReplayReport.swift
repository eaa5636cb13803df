package import APNSimCapture
package import APNSimCore

/// What came of playing a capture over the network.
package struct NetworkReplayReport: Sendable {
  /// What came back on a connection for which the capture has nothing to compare it with.
  package struct UncomparedAnswer: Sendable {
    package var captured: CapturedConnection
    /// As far as `ReplayDifference.mostBytes` go.
    package var bytes: [UInt8]
  }

  package var connections = 0
  package var feedbackConnections = 0
  package var skipped = 0
  package var bytesSent = 0
  /// Those that a service no longer took.
  package var bytesUnsent = 0
  /// Connections on which the same came back as in the capture.
  package var same = 0
  /// Connections that the capture does not have well enough to compare them.
  package var uncompared = 0
  package private(set) var uncomparedAnswers: [UncomparedAnswer] = []
  package private(set) var differences: [ReplayDifference] = []
  /// Differences past this number are counted and not kept; and so are answers that nothing is compared with.
  static let mostDifferences = 1000
  package private(set) var moreDifferences = 0
  /// How far into the capture somebody stopped the replay; nil when it was played to its end.
  package var stoppedAfter: TimeSpan?
  /// What else a reader should know, a line each.
  package private(set) var notes: [String] = []
  private static let mostNotes = 100
  /// Connections that were not made before the first one was, or without any.
  private var refusals: [ProviderFailure] = []

  /// So many connections may be refused before the first is made.
  private static let mostRefusals = 3

  mutating func add(_ difference: ReplayDifference) {
    if differences.count < Self.mostDifferences {
      differences.append(difference)
    } else {
      moreDifferences += 1
    }
  }

  /// A connection was not made, which is a difference once it is known that there is a service at all.
  /// - Parameter hints: advice for who started the replay, a line each.
  /// - Throws: `failure`, where nobody listens.
  mutating func refuse(
    _ captured: CapturedConnection,
    _ failure: ProviderFailure,
    hints: [String]
  ) throws(ProviderFailure) {
    if connections + feedbackConnections == 0, captured.listener == .gateway {
      guard failure.isRefusal else { throw failure }
      refusals.append(failure)
      if refusals.count == Self.mostRefusals { throw refusals[0] }
    }
    var difference = ReplayDifference(captured)
    difference.summary = failure.isRefusal ? "the connection was refused" : "no connection could be made"
    difference.recorded = ["connected"]
    difference.replayed = [failure.message]
    add(difference)
    note("\(difference.connection): \(failure.message)")
    for hint in hints { note("hint: \(hint)") }
  }

  mutating func note(_ text: String) {
    if !notes.contains(text), notes.count < Self.mostNotes { notes.append(text) }
  }

  /// - Throws: why not one connection could be made, if some were tried.
  func requireReached() throws(ProviderFailure) {
    if connections + feedbackConnections == 0, let first = refusals.first { throw first }
  }

  /// A connection has been played.
  mutating func count(_ connection: ReplayedConnection) {
    bytesSent += connection.bytesSent
    bytesUnsent += connection.bytesUnsent
  }

  mutating func leaveUncompared(_ connection: ReplayedConnection) {
    count(connection)
    uncompared += 1
    guard !connection.received.isEmpty, uncomparedAnswers.count < Self.mostDifferences else { return }
    uncomparedAnswers.append(
      UncomparedAnswer(
        captured: connection.captured,
        bytes: Array(connection.received.prefix(ReplayDifference.mostBytes))
      )
    )
  }
}
