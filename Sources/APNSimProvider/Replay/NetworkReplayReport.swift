package import APNSimCapture
package import APNSimCore

/// The result of a replay over the network.
package struct NetworkReplayReport: Sendable {
  /// An answer for which the capture has nothing to compare it with.
  package struct UncomparedAnswer: Sendable {
    package var captured: CapturedConnection
    package var answer: AnswerBytes
  }

  package var connections = 0
  package var feedbackConnections = 0
  /// Connections of HTTP/2, and the requests that were sent over them.
  package var requestConnections = 0
  package var requests = 0
  /// Requests that could not be sent.
  package var requestsUnsent = 0
  /// Requests that were answered as in the capture, and those whose answers it does not have.
  package var sameAnswers = 0
  package var uncomparedRequests = 0
  package var skipped = 0
  package var bytesSent = 0
  /// The bytes that services no longer took.
  package var bytesUnsent = 0
  /// The findings of the comparison of the connections.
  package private(set) var tally = ComparisonTally<NetworkDifference>(mostKept: mostKept)
  package private(set) var uncomparedAnswers: [UncomparedAnswer] = []
  /// The most differences, and uncompared answers, that are kept; more are only counted.
  private static let mostKept = 1000
  /// The position in the capture at which the replay was stopped; nil if it was played to its end.
  package var stoppedAfter: TimeSpan?
  /// Remarks for the reader, a line each.
  package private(set) var notes: [String] = []
  private static let mostNotes = 100
  /// The connections refused before the first was made, or if none was.
  private var refusals: [ProviderFailure] = []

  /// The number of refused connections, before the first accepted one, that ends a replay.
  private static let mostRefusals = 3

  package var same: Int { tally.same }

  package var uncompared: Int { tally.uncompared.values.reduce(0, +) }

  package var differences: [NetworkDifference] { tally.kept }

  /// Records a connection that was not made, a difference once it is known that there is a service at all.
  /// - Parameter hints: advice for who started the replay, a line each.
  /// - Throws: `failure`, where nobody listens.
  mutating func refuse(
    _ captured: CapturedConnection,
    _ failure: ProviderFailure,
    hints: [String]
  ) throws(ProviderFailure) {
    if reached == 0, captured.listener != .feedback {
      guard failure.isRefusal else { throw failure }
      refusals.append(failure)
      if refusals.count == Self.mostRefusals { throw refusals[0] }
    }
    let summary = failure.isRefusal ? "the connection was refused" : "no connection could be made"
    tally.add(NetworkDifference(captured, summary, recorded: ["connected"], replayed: [failure.message]))
    note("\(captured.id): \(failure.message)")
    for hint in hints { note("hint: \(hint)") }
  }

  mutating func note(_ text: String) {
    if !notes.contains(text), notes.count < Self.mostNotes { notes.append(text) }
  }

  /// - Throws: why not one connection could be made, if some were tried.
  func requireReached() throws(ProviderFailure) {
    if reached == 0, let first = refusals.first { throw first }
  }

  /// The connections that were made.
  private var reached: Int { connections + feedbackConnections + requestConnections }

  mutating func addConnection(_ listener: Listener) {
    switch listener {
    case .feedback: feedbackConnections += 1
    case .http2: requestConnections += 1
    case .gateway, .device: connections += 1
    }
  }

  // MARK: Compared connections

  /// Adds a connection that was compared, with the difference that was found.
  mutating func add(_ connection: ReplayedConnection, _ difference: NetworkDifference?) {
    count(connection)
    add(difference)
  }

  mutating func add(_ difference: NetworkDifference?) {
    if let difference { tally.add(difference) } else { tally.addSame() }
  }

  /// Adds a connection that was not compared, with what came back on it.
  mutating func leave(_ connection: ReplayedConnection, _ reason: Uncompared = .gaps) {
    count(connection)
    leave(reason)
    guard !connection.received.isEmpty, uncomparedAnswers.count < Self.mostKept else { return }
    uncomparedAnswers.append(
      UncomparedAnswer(
        captured: connection.captured,
        answer: AnswerBytes(connection.received, isFeedback: connection.captured.listener == .feedback)
      )
    )
  }

  mutating func leave(_ reason: Uncompared = .gaps, connections: Int = 1) {
    if connections > 0 { tally.add(reason, connections: connections) }
  }

  private mutating func count(_ connection: ReplayedConnection) {
    bytesSent += connection.bytesSent
    bytesUnsent += connection.bytesUnsent
  }
}
