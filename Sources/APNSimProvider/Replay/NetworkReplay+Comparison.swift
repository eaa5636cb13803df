import APNSimCapture
import APNSimCore
import APNSimWire

/// Compares a connection's answers with the captured ones.
extension NetworkReplay {
  /// - Parameter otherEnd: the difference of the ends and a line for it, where they differ.
  mutating func compare(
    _ connection: ReplayedConnection,
    _ otherEnd: (difference: EndDifference, summary: String)?
  ) {
    let answers = AnswerComparison(
      recorded: connection.expected,
      replayed: connection.received,
      isFeedback: connection.captured.listener == .feedback,
      isOverflowing: connection.isOverflowing
    )
    let found = answers.difference(otherEnd?.difference)
    if answers.isSame(), answers.hasOtherTimes {
      note("feedback lists have the recorded tokens at other times")
    }
    guard let found else {
      report.same += 1
      return
    }
    var difference = ReplayDifference(connection.captured)
    (difference.recorded, difference.replayed) = (found.recordedText, found.replayedText)
    switch found {
    case .answer(let answer):
      difference.summary = summary(of: connection, answer)
      if connection.isOverflowing { difference.replayed.append("(more came, which was not read)") }
    case .end: difference.summary = otherEnd?.summary ?? ""
    }
    if connection.bytesUnsent > 0 {
      difference.replayed.append("(\(Number.counted(connection.bytesUnsent, "byte")) could not be sent)")
    }
    if let failure = connection.failure { difference.replayed.append("(\(failure))") }
    difference.recordedBytes = Array(connection.expected.prefix(AnswerBytes.most))
    difference.replayedBytes = Array(connection.received.prefix(AnswerBytes.most))
    report.add(difference)
  }

  var patience: TimeSpan {
    TimeSpan(milliseconds: Int64(clamping: Int(options.patience / .milliseconds(1))))
  }

  private func summary(of connection: ReplayedConnection, _ answer: AnswerDifference) -> String {
    if connection.captured.listener == .feedback {
      let same = answer.sameUnits > 0 ? " after \(Number.counted(answer.sameUnits, "same tuple"))" : ""
      return "another feedback list came back\(same)"
    }
    return "\(gatewaySummary(of: connection, answer)) (\(Number.counted(connection.bytesSent, "byte")) sent)"
  }

  private func gatewaySummary(of connection: ReplayedConnection, _ answer: AnswerDifference) -> String {
    if answer.recordedCount == 0 { return "an answer came back that the capture does not have" }
    if answer.goesOn { return "more came back than the recorded answer" }
    guard answer.isShort else { return "another answer came back" }
    let how = connection.hasEnded ? "before the service ended the connection" : "within \(patience)"
    return answer.replayedCount == 0
      ? "the recorded answer did not come \(how)"
      : "only \(answer.replayedCount) of the recorded answer's \(Number.counted(answer.recordedCount, "byte")) "
        + "came \(how)"
  }
}
