import APNSimCapture
import APNSimCore
import APNSimWire

/// Compares a connection's answers with the captured ones.
extension NetworkReplay {
  mutating func compare(_ connection: ReplayedConnection, _ ending: CapturedEnd, _ otherEnd: String?) {
    var difference = ReplayDifference(connection.captured)
    if connection.captured.listener == .feedback {
      compareTuples(of: connection, in: &difference)
    } else if connection.received != connection.expected {
      let common = zip(connection.expected, connection.received).prefix { $0 == $1 }.count
      let whole = common - common % ErrorResponse.byteCount
      difference.summary =
        "\(summary(of: connection, common)) (\(Number.counted(connection.bytesSent, "byte")) sent)"
      difference.recorded = ReplayDifference.text(gateway: connection.expected[whole...])
      difference.replayed = ReplayDifference.text(gateway: connection.received[whole...])
    }
    if !difference.summary.isEmpty, connection.isOverflowing {
      difference.replayed.append("(more came, which was not read)")
    }
    if difference.summary.isEmpty, let otherEnd {
      difference.summary = otherEnd
      difference.recorded = ending.text.map { [$0] } ?? []
      difference.replayed = [
        ending == .service ? "still open after \(patience)" : "ended by the service"
      ]
    }
    if difference.summary.isEmpty {
      report.same += 1
      return
    }
    if connection.bytesUnsent > 0 {
      difference.replayed.append("(\(Number.counted(connection.bytesUnsent, "byte")) could not be sent)")
    }
    if let failure = connection.failure { difference.replayed.append("(\(failure))") }
    difference.recordedBytes = Array(connection.expected.prefix(ReplayDifference.mostBytes))
    difference.replayedBytes = Array(connection.received.prefix(ReplayDifference.mostBytes))
    report.add(difference)
  }

  private mutating func compareTuples(
    of connection: ReplayedConnection,
    in difference: inout ReplayDifference
  ) {
    let (recorded, replayed) = (
      FeedbackTupleDecoder.tuples(in: connection.expected),
      FeedbackTupleDecoder.tuples(in: connection.received)
    )
    let common = zip(recorded, replayed).prefix { $0.token == $1.token }.count
    if common < max(recorded.count, replayed.count) || connection.isOverflowing {
      difference.summary = "another feedback list came back"
      if common > 0 { difference.summary += " after \(Number.counted(common, "same tuple"))" }
      difference.recorded = ReplayDifference.text(feedback: recorded[common...])
      difference.replayed = ReplayDifference.text(feedback: replayed[common...])
    } else if recorded != replayed {
      note("feedback lists have the recorded tokens at other times")
    }
  }

  private var patience: TimeSpan {
    TimeSpan(milliseconds: Int64(clamping: Int(options.patience / .milliseconds(1))))
  }

  /// - Parameter common: how many bytes of the two answers are the same.
  private func summary(of connection: ReplayedConnection, _ common: Int) -> String {
    let (recorded, replayed) = (connection.expected.count, connection.received.count)
    if recorded == 0 { return "an answer came back that the capture does not have" }
    if common == recorded { return "more came back than the recorded answer" }
    guard common == replayed else { return "another answer came back" }
    let how = connection.hasEnded ? "before the service ended the connection" : "within \(patience)"
    return replayed == 0
      ? "the recorded answer did not come \(how)"
      : "only \(replayed) of the recorded answer's \(Number.counted(recorded, "byte")) came \(how)"
  }
}
