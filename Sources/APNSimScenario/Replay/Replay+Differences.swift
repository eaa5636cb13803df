internal import APNSimCore

/// What came out otherwise than it was recorded.
extension Replay {
  func differ(_ difference: ReplayResult.Difference) {
    result.differences += 1
    if result.firstDifference == nil { result.firstDifference = difference }
  }

  func differ(_ parting: LineComparison.Parting) {
    let line = parting.recorded ?? parting.replayed ?? []
    var connection: ConnectionID?
    var notification: String?
    line.withUnsafeBytes { line in
      var fields = LineFields()
      guard (try? fields.read(line)) != nil else { return }
      connection = fields.string("connection").flatMap { ConnectionID($0) }
      notification = fields.string("id") ?? fields.string("notification")
    }
    let difference = ReplayResult.Difference(
      kind: .journal,
      connection: connection,
      notification: notification,
      recorded: parting.recorded ?? [],
      replayed: parting.replayed ?? []
    )
    // What providers got says more than a line.
    differ(difference)
  }

  /// A connection has no more to say: its answers are compared to the end.
  func end(_ name: ConnectionID) {
    guard let connection = connections.removeValue(forKey: name) else { return }
    if let id = connection.id, id == name { byReplayID[id] = nil }
    if case .device = connection.door { return }
    // What differed before the gap was said there.
    if isBehindGap { return }
    differUnread(on: connection)
    guard connection.isComparable else {
      result.uncomparedConnections += 1
      return
    }
    guard !connection.answers.isSame() else { return }
    if connection.isUnexplained {
      result.unexplainedLists += 1
      return
    }
    differ(connection)
  }

  func differ(_ connection: ReplayConnection) {
    differ(
      ReplayResult.Difference(
        kind: .answer,
        connection: connection.name,
        notification: connection.lastNotification > 0 ? "n\(connection.lastNotification)" : nil,
        recorded: connection.answers.recorded,
        replayed: connection.answers.replayed,
        isFeedback: connection.listener == .feedback
      )
    )
  }

  func differ(_ notification: ReplayedNotification) {
    guard let recorded = notification.recorded else { return }
    let verdict = notification.verdict
    differ(recorded, on: notification.connection, replayed: Self.text(verdict.outcome, verdict.status))
  }

  /// Notifications that the replay's gateway has not read and will not read: it turned their connection away, or has
  /// stopped reading it. What was recorded as discarded came to the same.
  func differUnread(on connection: ReplayConnection) {
    while let recorded = connection.takePending() {
      let isCompared =
        !result.comparesJournal && !isBehindGap && !connection.isBroken && !connection.wasOpenBefore
      if isCompared, recorded.outcome != .discarded {
        differ(recorded, on: connection.name, replayed: "not read")
      }
    }
  }

  private func differ(
    _ recorded: CapturedNotification,
    on connection: ConnectionID,
    replayed verdict: String
  ) {
    differ(
      ReplayResult.Difference(
        kind: .verdict,
        connection: connection,
        notification: "n\(recorded.number)",
        recorded: Array(Self.text(recorded.outcome, recorded.status).utf8),
        replayed: Array(verdict.utf8)
      )
    )
  }

  private static func text(_ outcome: Outcome, _ status: UInt8) -> String {
    status > 0 ? "\(outcome), status \(status)" : "\(outcome)"
  }
}
