import APNSimCore

/// Differences between the replay and the recording.
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
      content: .journal(recorded: parting.recorded ?? [], replayed: parting.replayed ?? []),
      connection: connection,
      notification: notification
    )
    // An answer explains more than a line.
    differ(difference)
  }

  /// Ends a connection: compares its answers to the end, and then the side that ended it.
  /// - Parameter time: the capture's time.
  func end(_ name: ConnectionID, _ ending: CapturedEnd, at time: Timestamp) {
    guard let connection = connections.removeValue(forKey: name) else { return }
    defer { connection.isOver = true }
    if let id = connection.id, id == name { byReplayID[id] = nil }
    if case .device = connection.door { return }
    // Differences before the gap were reported there.
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
    // A capture without the service's end does not have everything that would have come until then.
    if ending == .unknown, !isRecording, connection.goesOn, !isContradicted(connection) {
      result.openConnections += 1
      return
    }
    compareStreams(of: connection)
    let difference = connection.answers.difference(otherEnd(of: connection, ending, at: time))
    if case .answer? = difference, connection.isUnexplained {
      result.unexplainedLists += 1
      return
    }
    if let difference { differ(difference, on: connection) }
  }

  /// Compares the ends of a connection with equal answers: a refusal of command 0 and some faults show in nothing else.
  /// Where verdicts differ, these are reported instead.
  private func otherEnd(
    of connection: ReplayConnection,
    _ ending: CapturedEnd,
    at time: Timestamp
  ) -> EndDifference? {
    guard connection.isEndSeen, !connection.hasOtherVerdicts, !result.comparesJournal else { return nil }
    if ending == .service, connection.endedAt == nil, !hasOtherCause(connection, at: time) {
      return EndDifference(recorded: ending, replayed: .notService)
    }
    if ending.excludesService, isEndMissing(from: connection, at: time) {
      return EndDifference(recorded: ending, replayed: .service)
    }
    let isContradicted = isContradicted(
      connection,
      since: ending == .service ? CapturedEnd.latestRefusal : .zero
    )
    return isContradicted ? EndDifference(recorded: nil, replayed: .service) : nil
  }

  /// True where the recorded service ended a connection for a cause outside its bytes.
  private func hasOtherCause(_ connection: ReplayConnection, at time: Timestamp) -> Bool {
    guard !isRecording, !connection.hasRecordedAnswer else { return false }
    return time - connection.lastWrite > CapturedEnd.latestRefusal
  }

  /// True where the service ended a connection in the replay in such a way that the capture would show it.
  ///
  /// A provider's immediate end does not show that the service would not have ended it, except in a simulator's
  /// journal; nor does an end after an answer.
  func isEndMissing(from connection: ReplayConnection, at time: Timestamp) -> Bool {
    guard connection.isEndSeen, !connection.hasRecordedAnswer, let ended = connection.endedAt
    else { return false }
    return isRecording || time - ended >= CapturedEnd.silence
  }

  /// True where the provider went on writing after the replay's service had ended the connection: the recorded service
  /// had not. A simulator's journal is judged by its verdicts instead.
  /// - Parameter span: the time for which a provider goes on that has not received the recorded service's end.
  func isContradicted(_ connection: ReplayConnection, since span: TimeSpan = .zero) -> Bool {
    !isRecording && connection.writtenBehindEnd > span
      && isEndMissing(from: connection, at: connection.lastWrite)
  }

  func differ(_ difference: ConnectionDifference, on connection: ReplayConnection) {
    differ(
      ReplayResult.Difference(
        content: .connection(difference),
        connection: connection.name,
        notification: connection.lastNotificationName
      )
    )
  }

  func differ(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    guard let recorded = notification.recorded else { return }
    let verdict = notification.verdict
    differ(
      recorded,
      on: connection,
      replayed: Self.text(verdict.outcome, verdict.status, verdict.request?.answer)
    )
  }

  /// Reports notifications that the replay's gateway will not read, because it refused their connection or stopped
  /// reading it. Those that were recorded as discarded are equal.
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
        content: .verdict(
          recorded: Self.text(recorded.outcome, recorded.status, recorded.answer),
          replayed: verdict
        ),
        connection: connection.name,
        notification: "n\(recorded.number)"
      )
    )
  }

  private static func text(_ outcome: Outcome, _ status: UInt8, _ answer: RequestStatus?) -> String {
    if let answer { return "\(outcome), \(answer.text)" }
    return status > 0 ? "\(outcome), status \(status)" : "\(outcome)"
  }
}
