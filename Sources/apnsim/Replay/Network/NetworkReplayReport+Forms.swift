import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimWire

/// A replay over the network: an entry for each connection on which something else came back.
extension NetworkReplayReport: Report {
  typealias Entry = NetworkDifference

  // MARK: Text

  /// The first difference, in full.
  var mostShown: Int { 1 }

  func head(_ style: Style) -> [String] {
    var replayed =
      "replayed  \(Number.counted(connections, "gateway connection")), "
      + "\(Number.counted(feedbackConnections, "feedback connection")), \(Number.counted(bytesSent, "byte"))"
    if requestConnections > 0 {
      let all = Number.counted(requests + requestsUnsent, "request")
      replayed +=
        "; \(Number.counted(requestConnections, "HTTP/2 connection")), "
        + (requestsUnsent > 0 ? "\(Number.grouped(requests)) of \(all)" : all)
    }
    if bytesUnsent > 0 { replayed += "; \(Number.counted(bytesUnsent, "byte")) could not be sent" }
    if skipped > 0 { replayed += "; \(Number.grouped(skipped)) skipped" }
    let stop = stoppedAfter.map { ["stopped   \($0) into the capture"] } ?? []
    return [replayed] + stop + [result]
  }

  func end(_ style: Style) -> [String] { remarks }

  private var result: String {
    let different = Int(clamping: tally.differences)
    if different > 0 {
      let rest = uncompared > 0 ? ", not compared on \(Number.grouped(uncompared))" : ""
      return
        "different on \(Number.counted(different, "connection")), the same on \(Number.grouped(same))\(rest); "
        + "the first:"
    }
    if same == 0, stoppedAfter != nil { return "compared  nothing: no connection had ended by then" }
    if same == 0 { return "compared  nothing: the capture has no connection whose answers can be compared" }
    if bytesSent + requests + feedbackConnections == 0 { return "same      nothing was sent, as recorded" }
    if uncompared == 0 { return "same      every answer is as recorded" }
    return "same      the same answers where they can be compared: on \(Number.grouped(same)) of "
      + Number.counted(same + uncompared, "connection")
  }

  /// The most connections that are listed.
  private static let mostListed = 20

  /// Answers for which the capture has nothing to compare them with.
  var remarks: [String] {
    guard !uncomparedAnswers.isEmpty else { return [] }
    var lines = ["came back without being compared:"]
    for answer in uncomparedAnswers.prefix(Self.mostListed) {
      lines.append("\(answer.captured.name):")
      lines += answer.answer.text.map { "  \($0)" }
    }
    let more = uncomparedAnswers.count - Self.mostListed
    return more > 0 ? lines + ["… and on \(Number.counted(more, "connection")) more"] : lines
  }

  // MARK: JSON

  static var list: StaticString { "differences" }

  func writeHead(to writer: inout JSONWriter) {
    let counts: [(StaticString, Int)] = [
      ("connections", connections), ("feedbackConnections", feedbackConnections),
      ("http2Connections", requestConnections), ("requests", requests), ("requestsUnsent", requestsUnsent),
      ("skipped", skipped),
      ("bytesSent", bytesSent), ("bytesUnsent", bytesUnsent), ("same", same),
      ("different", Int(clamping: tally.differences)), ("uncomparedConnections", uncompared),
      ("sameAnswers", sameAnswers),
      ("uncomparedRequests", uncomparedRequests),
    ]
    for (name, count) in counts { writer.member(name, count) }
    writer.member("complete", stoppedAfter == nil)
    if let stoppedAfter { writer.member("stoppedAfter", stoppedAfter.description) }
  }

  func writeEnd(to writer: inout JSONWriter) {
    writer.list("uncomparedAnswers", uncomparedAnswers) { answer, writer in
      answer.captured.write(to: &writer)
      writer.member("replayedBytes", hex: answer.answer.bytes)
    }
    writer.member("notes", notes)
  }

  // MARK: JUnit

  var suite: String { "apnsim replay" }

  /// The connections on which nothing differed are only counted.
  var cases: [TestCase] {
    [TestCase(group: "capture", name: "the same answers on \(Number.counted(same, "connection"))")]
  }
}

extension NetworkDifference: ReportEntry {
  func write(to rows: inout ReportRows) {
    rows.add(line: "\(captured.name): \(summary)")
    for line in recorded { rows.add(line: "  recorded  \(line)") }
    for line in replayed { rows.add(line: "  replayed  \(line)") }
  }

  func write(to writer: inout JSONWriter) {
    captured.write(to: &writer)
    writer.member("summary", summary)
    writer.member("recorded", recorded)
    writer.member("replayed", replayed)
    writer.member("recordedBytes", hex: recordedBytes)
    writer.member("replayedBytes", hex: replayedBytes)
    guard !requests.isEmpty else { return }
    writer.list("requests", requests) { request, writer in
      writer.member("stream", request.stream)
      writer.object("recorded", request.recorded.writeMembers)
      writer.object("replayed", request.replayed.writeMembers)
    }
  }

  var testCase: TestCase {
    let sides = recorded.map { "recorded  \($0)" } + replayed.map { "replayed  \($0)" }
    let failure = TestCase.Failure(kind: "answer", message: summary, details: sides.joined(separator: "\n"))
    return TestCase(group: captured.listener.rawValue, name: "\(captured.id)", failure: failure)
  }
}

extension CapturedConnection {
  /// `c3 (gateway, com.example.app)`
  fileprivate var name: String {
    let topic = provider.topic
    return "\(id) (\(listener.rawValue)\(topic.isEmpty ? "" : ", \(TerminalText.visible(topic))"))"
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("connection", id.description)
    writer.member("listener", listener.rawValue)
    writer.member("topic", provider.topic)
  }
}
