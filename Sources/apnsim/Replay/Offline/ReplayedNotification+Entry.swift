import APNSimCapture
import APNSimCore
import APNSimWire

/// A notification in the report of a replay.
extension ReplayedNotification: ReportEntry {
  private static let columns = [
    ("connection", 12), ("notification", 14), ("identifier", 12), ("verdict", 28),
  ]

  static func titles(_ style: Style) -> String {
    let titles =
      columns.map { $0.0 + String(repeating: " ", count: $0.1 - $0.0.utf8.count) }.joined() + "answer"
    return style.paint(titles, .bold)
  }

  func write(to rows: inout ReportRows) {
    let start = rows.bytes.count
    rows.put(connection.description, to: 12)
    rows.put("n")
    rows.put(String(number), to: 13)
    rows.put(verdict.identifier?.hex ?? verdict.request.map { "stream \($0.stream)" } ?? "-", to: 12)
    rows.put(VerdictText.of(verdict), to: 28)
    rows.put(answer.isEmpty ? "-" : Hex.encode(answer))
    if answerWaits { rows.put(" later") }
    if let stream {
      rows.put("  \(TerminalText.visible(stream.summary))")
      rows.paint(from: start, .yellow)
    } else if let recorded, !isSame {
      rows.put("  recorded: \(VerdictText.of(recorded))")
      rows.paint(from: start, .yellow)
    }
    rows.endLine()
  }

  func write(to writer: inout JSONWriter) {
    writer.member("connection", connection.description)
    writer.member("id", "n\(number)")
    if let request = verdict.request {
      writer.member("interface", "http2")
      writer.member("stream", request.stream)
      writer.key("command")
      writer.null()
    } else {
      writer.member("command", verdict.command)
    }
    writer.key("identifier")
    if let identifier = verdict.identifier { writer.string(identifier.hex) } else { writer.null() }
    writer.member("token", hex: verdict.token)
    writer.member("outcome", verdict.outcome.description)
    write(verdict.status, verdict.request?.answer, to: &writer)
    if let check = verdict.check {
      writer.member("check", check)
    }
    if verdict.rule > 0 { writer.member("rule", verdict.rule) }
    if verdict.isMagic { writer.member("magic", true) }
    writer.member("answer", hex: answer)
    if answerWaits { writer.member("answerWaits", true) }
    if let recorded {
      writer.object("recorded") { writer in
        writer.member("outcome", recorded.outcome.description)
        write(recorded.status, recorded.answer, to: &writer)
      }
      if isCompared { writer.member("same", isSame) }
    }
    if let difference = stream {
      writer.member("recordedAnswer", difference.recordedText)
      writer.member("replayedAnswer", difference.replayedText)
      if recorded == nil { writer.member("same", false) }
    }
  }

  /// The status, and the reason of an answer to a request; null where nothing is answered.
  private func write(_ status: UInt8, _ answer: RequestStatus?, to writer: inout JSONWriter) {
    guard let answer else { return writer.member("status", status) }
    writer.key("status")
    if let number = answer.number { writer.int(number) } else { writer.null() }
    if let reason = answer.reason { writer.member("reason", reason.name(documented: false)) }
  }

  var testCase: TestCase {
    var name = "n\(number)"
    if let identifier = verdict.identifier { name += " \(identifier.hex)" }
    if let request = verdict.request { name += " stream \(request.stream)" }
    let later = answerWaits ? " later" : ""
    let sent = answer.isEmpty ? "" : ", answered \(Hex.encode(answer))\(later)"
    return TestCase(
      group: connection.description,
      name: name,
      failure: failure,
      output: VerdictText.of(verdict) + sent
    )
  }

  private var failure: TestCase.Failure? {
    if let stream { return TestCase.Failure(kind: "request", message: stream.summary) }
    guard let recorded, !isSame else { return nil }
    let words = VerdictText.of(verdict.outcome, verdict.status, verdict.request?.answer)
    return TestCase.Failure(
      kind: "verdict",
      message: "recorded \(VerdictText.of(recorded)), replayed \(words)"
    )
  }
}
