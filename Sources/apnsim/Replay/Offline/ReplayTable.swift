import APNSimCore
import APNSimScenario
import APNSimWire

/// A replay for people: a row a notification, then what was to be sent again, then the sum.
final class ReplayTable: ReplayReport {
  private let output: CaptureOutput
  private let style: Style
  private let isQuiet: Bool
  private var failure: (any Error)?
  private var text: [UInt8] = []
  private var hasHead = false

  init(_ path: String, _ style: Style, isQuiet: Bool) throws {
    output = try CaptureOutput(path: path)
    (self.style, self.isQuiet) = (style, isQuiet)
  }

  func add(_ notification: ReplayedNotification) {
    if !hasHead {
      hasHead = true
      put("connection", "notification", "identifier", "verdict", "answer")
      paint(from: 0, .bold)
      text.append(0x0A)
    }
    let verdict = notification.verdict
    let start = text.count
    put(
      notification.connection.description,
      "n\(notification.number)",
      verdict.identifier?.hex ?? "-",
      VerdictText.of(verdict.outcome, verdict.status, verdict.check),
      notification.answer.isEmpty ? "-" : Hex.encode(notification.answer)
    )
    if let recorded = notification.recorded, !notification.isSame {
      put("  recorded: \(VerdictText.of(recorded.outcome, recorded.status))", to: 0)
      paint(from: start, .yellow)
    }
    text.append(0x0A)
    if text.count > 65_536 { write() }
  }

  func finish(_ result: ReplayResult, after span: Duration) throws {
    for line in isQuiet ? [] : Self.resendReport(of: result) { put(line + "\n", to: 0) }
    if !isQuiet, !result.resends.isEmpty { text.append(0x0A) }
    put(sum(result) + "\n", to: 0)
    write()
    if let failure { throw failure }
    try output.finish()
  }

  /// What each connection's provider had to send again, for connections on which something was lost.
  static func resendReport(of result: ReplayResult) -> [String] {
    result.resends.flatMap { resend($0, result) }
  }

  private static func resend(_ view: ConnectionView, _ result: ReplayResult) -> [String] {
    let name = result.names[view.id] ?? view.id
    let end = view.error.map { "status \($0.response.status.rawValue) (\($0.response.status.name))" }
    var lines = ["", "resend report of \(name): \(end ?? "closed without a word")"]
    func list(_ word: String, _ references: [ProviderReference]) {
      guard !references.isEmpty else { return }
      let shown = references.prefix(20).map(\.description).joined(separator: " ")
      let more = references.count > 20 ? " and \(Number.grouped(references.count - 20)) more" : ""
      lines.append("  \(word)  \(shown)\(more)")
    }
    list("failed   ", view.resend.failed)
    list("discarded", view.resend.discarded)
    list("resent   ", view.resend.resent)
    list("lost     ", view.resend.lost)
    if view.resend.notFollowed > 0 {
      lines.append("  \(Number.grouped(Int(clamping: view.resend.notFollowed))) more were not followed")
    }
    return lines
  }

  private func sum(_ result: ReplayResult) -> String {
    let outcomes = Outcome.allCases.compactMap { outcome -> String? in
      result.outcomes[outcome].map { "\(Number.grouped(Int(clamping: $0))) \(outcome)" }
    }
    var text = Number.counted(Int(clamping: result.notifications), "notification")
    if !outcomes.isEmpty { text += " (" + outcomes.joined(separator: ", ") + ")" }
    text += " on \(Number.counted(result.connections, "connection")): "
    if !result.isSame {
      return text + style.paint(Number.counted(Int(clamping: result.differences), "difference"), .red)
    }
    if !result.gaps.isEmpty { return text + "the same up to where lines are missing" }
    if result.comparesJournal { return text + style.paint("the same journal, byte for byte", .green) }
    guard result.hasRecordedAnswers else { return text + "no answers are recorded to compare with" }
    return text + "the same answers" + (result.uncomparedConnections > 0 ? " where they can be compared" : "")
  }

  private func write() {
    do { try output.write(text) } catch { failure = failure ?? error }
    text.removeAll(keepingCapacity: true)
  }

  // MARK: Rows, as bytes: there may be millions

  private func put(
    _ connection: String,
    _ notification: String,
    _ identifier: String,
    _ verdict: String,
    _ answer: String
  ) {
    put(connection, to: 12)
    put(notification, to: 14)
    put(identifier, to: 12)
    put(verdict, to: 28)
    put(answer, to: 0)
  }

  private func put(_ cell: String, to width: Int) {
    text.append(contentsOf: cell.utf8)
    for _ in 0..<max(width == 0 ? 0 : 2, width - cell.utf8.count) { text.append(0x20) }
  }

  private func paint(from start: Int, _ colour: Style.Colour) {
    guard style.isOn else { return }
    let row = String(decoding: text[start...], as: UTF8.self)
    text.removeSubrange(start...)
    put(style.paint(row, colour), to: 0)
  }
}
