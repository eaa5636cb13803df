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

  /// A connection has no more to say: its answers are compared to the end, and then who brought that about.
  /// - Parameter time: by the capture's clock.
  func end(_ name: ConnectionID, _ ending: CapturedEnd, at time: Timestamp) {
    guard let connection = connections.removeValue(forKey: name) else { return }
    if let id = connection.id, id == name { byReplayID[id] = nil }
    if case .device = connection.door { return }
    // What differed before the gap was said there.
    if isBehindGap { return }
    connection.settleAnswers(by: time)
    differUnread(on: connection)
    guard connection.isComparable else {
      result.uncomparedConnections += 1
      return
    }
    guard connection.isAnswerSeen else {
      result.unseenConnections += 1
      return
    }
    // Whoever did not see the service end it does not know what would have come until then.
    if ending == .unknown, !isRecording, connection.goesOn, !isContradicted(connection) {
      result.openConnections += 1
      return
    }
    guard !connection.answers.isSame() else { return compareEnds(of: connection, ending, at: time) }
    if connection.isUnexplained {
      result.unexplainedLists += 1
      return
    }
    differ(connection)
  }

  /// A refusal of command 0 and some faults show in nothing but the service's end of the connection. Where
  /// notifications became something else, that says it.
  private func compareEnds(of connection: ReplayConnection, _ ending: CapturedEnd, at time: Timestamp) {
    guard connection.isEndSeen, !connection.hasOtherVerdicts, !result.comparesJournal else { return }
    if ending == .service, connection.endedAt == nil, !hasOtherCause(connection, at: time) {
      differ(connection, ending.text, replayed: "not ended by the service")
    } else if ending.excludesService, isEndMissing(from: connection, at: time) {
      differ(connection, ending.text, replayed: "ended by the service")
    } else if isContradicted(connection, since: ending == .service ? CapturedEnd.latestRefusal : .zero) {
      differ(connection, nil, replayed: "ended by the service")
    }
  }

  /// Whether the recorded service ended a connection for something else than what came on it.
  private func hasOtherCause(_ connection: ReplayConnection, at time: Timestamp) -> Bool {
    guard !isRecording, !connection.hasRecordedAnswer else { return false }
    return time - connection.lastWrite > CapturedEnd.latestRefusal
  }

  /// Whether the service ended a connection in the replay, so that the capture would have it if it had then.
  ///
  /// A provider that ended it at once does not show that the service would not have, unless a simulator says so; nor
  /// does one that had been answered.
  func isEndMissing(from connection: ReplayConnection, at time: Timestamp) -> Bool {
    guard connection.isEndSeen, !connection.hasRecordedAnswer, let ended = connection.endedAt
    else { return false }
    return isRecording || time - ended >= CapturedEnd.silence
  }

  /// Whether the provider went on writing where the replay's service had ended the connection: the recorded one had
  /// not, whoever ended it then. What a simulator records says more: it has the verdicts.
  /// - Parameter span: for so long a provider goes on that has not heard of the end that the recorded service did make.
  func isContradicted(_ connection: ReplayConnection, since span: TimeSpan = .zero) -> Bool {
    !isRecording && connection.writtenBehindEnd > span
      && isEndMissing(from: connection, at: connection.lastWrite)
  }

  private func differ(_ connection: ReplayConnection, _ end: String?, replayed: String) {
    let recorded = end ?? "open when the provider wrote again"
    differ(
      ReplayResult.Difference(
        kind: .ending,
        connection: connection.name,
        notification: connection.lastNotificationName,
        recorded: Array(recorded.utf8),
        replayed: Array(replayed.utf8)
      )
    )
  }

  func differ(_ connection: ReplayConnection) {
    differ(
      ReplayResult.Difference(
        kind: .answer,
        connection: connection.name,
        notification: connection.lastNotificationName,
        recorded: connection.answers.recorded,
        replayed: connection.answers.replayed,
        isFeedback: connection.listener == .feedback
      )
    )
  }

  func differ(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    guard let recorded = notification.recorded else { return }
    let verdict = notification.verdict
    differ(recorded, on: connection, replayed: Self.text(verdict.outcome, verdict.status))
  }

  /// Notifications that the replay's gateway has not read and will not read: it turned their connection away, or has
  /// stopped reading it. What was recorded as discarded came to the same.
  func differUnread(on connection: ReplayConnection) {
    while let recorded = connection.takePending() {
      let isCompared =
        !result.comparesJournal && !isBehindGap && !connection.isBroken && !connection.wasOpenBefore
      if isCompared, recorded.outcome != .discarded {
        differ(recorded, on: connection, replayed: "not read")
      }
    }
  }

  private func differ(
    _ recorded: CapturedNotification,
    on connection: ReplayConnection,
    replayed verdict: String
  ) {
    connection.hasOtherVerdicts = true
    differ(
      ReplayResult.Difference(
        kind: .verdict,
        connection: connection.name,
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
