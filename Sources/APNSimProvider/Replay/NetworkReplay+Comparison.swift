import APNSimCapture
import APNSimCore
import APNSimWire

/// Hands what was seen on a connection to the comparison, and says in words what that finds.
extension NetworkReplay {
  /// A difference of the ends, and a line for it.
  typealias OtherEnd = (difference: EndDifference, summary: String)

  mutating func compare(_ connection: ReplayedConnection, _ ending: CapturedEnd, _ otherEnd: OtherEnd?) {
    let captured = connection.captured
    let sides = connection.wholeSides
    switch sides.conclude(ending, otherEnd?.difference) {
    case .uncompared(let reason):
      if reason == .open {
        note("\(captured.id) is not compared to the end, which the capture does not show")
      }
      report.leave(connection, reason)
    case .compared(let found):
      if sides.answers.isSame(), sides.answers.hasOtherTimes {
        note("feedback lists have the recorded tokens at other times")
      }
      report.add(connection, found.map { difference($0, on: connection, otherEnd?.summary) })
    }
  }

  private func difference(
    _ found: ConnectionDifference,
    on connection: ReplayedConnection,
    _ otherEnd: String?
  ) -> NetworkDifference {
    var words = otherEnd ?? ""
    if case .answer(let answer) = found { words = summary(of: connection, answer) }
    var difference = NetworkDifference(connection.captured, words, found)
    if case .answer = found, connection.isOverflowing {
      difference.add(remark: "more came, which was not read")
    }
    if connection.bytesUnsent > 0 {
      difference.add(remark: "\(Number.counted(connection.bytesUnsent, "byte")) could not be sent")
    }
    difference.add(remark: connection.failure)
    difference.recordedBytes = Array(connection.expected.prefix(AnswerBytes.most))
    difference.replayedBytes = Array(connection.received.prefix(AnswerBytes.most))
    return difference
  }

  mutating func compare(_ connection: ReplayedRequests, _ otherEnd: OtherEnd?) {
    let streams = connection.streams
    report.sameAnswers += streams.same
    report.uncomparedRequests += streams.unknown
    report.requests -= streams.unsendable
    report.requestsUnsent += streams.unsendable
    let hasAnswers = streams.same + streams.differenceCount > 0 || connection.count == 0
    guard hasAnswers && connection.gaps.isEmpty || streams.unsendable + streams.silent > 0 else {
      return report.leave(connection.gaps.isEmpty ? .unseen : .gaps)
    }
    var difference: NetworkDifference?
    if streams.differenceCount > 0 {
      difference = NetworkDifference(connection.captured, streams, of: connection.count)
    } else if let otherEnd {
      difference = NetworkDifference(connection.captured, otherEnd.summary, .end(otherEnd.difference))
    }
    difference?.add(remark: connection.goAway?.words)
    difference?.add(remark: connection.failure)
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

extension RequestReport.GoAway {
  /// `GOAWAY NO_ERROR, last stream 5`
  fileprivate var words: String {
    "GOAWAY \(code), last stream \(lastStream)" + (debug.isEmpty ? "" : ", \(debug)")
  }
}
