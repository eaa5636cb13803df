import APNSimCore
import APNSimScenario
import APNSimWire

/// A replay for people: a row a notification, then what was to be sent again, then the sum.
final class ReplayTable: ReplayReport {
  private let output: CaptureOutput
  private let style: Style
  private let isQuiet: Bool
  private var failure: (any Error)?
  private var text = ""
  private var hasHead = false

  init(_ path: String, _ style: Style, isQuiet: Bool) throws {
    output = try CaptureOutput(path: path)
    (self.style, self.isQuiet) = (style, isQuiet)
  }

  func add(_ notification: ReplayedNotification) {
    if !hasHead {
      hasHead = true
      text +=
        style.paint(Self.row("connection", "notification", "identifier", "verdict", "answer"), .bold) + "\n"
    }
    let verdict = notification.verdict
    var words = "\(verdict.outcome)"
    if verdict.status > 0 { words += " \(verdict.status)" }
    if let check = verdict.check { words += " (\(check))" }
    var row = Self.row(
      notification.connection.description,
      "n\(notification.recorded?.number ?? verdict.number)",
      verdict.identifier?.hex ?? "-",
      words,
      notification.answer.isEmpty ? "-" : Hex.encode(notification.answer)
    )
    if let recorded = notification.recorded, !notification.isSame {
      row += "  recorded: \(recorded.outcome)" + (recorded.status > 0 ? " \(recorded.status)" : "")
      row = style.paint(row, .yellow)
    }
    text += row + "\n"
    if text.utf8.count > 65_536 { write() }
  }

  func finish(_ result: ReplayResult) throws {
    for view in result.resends { text += resend(view, result).joined(separator: "\n") + "\n" }
    text += sum(result) + "\n"
    write()
    if let failure { throw failure }
    try output.finish()
  }

  private func resend(_ view: ConnectionView, _ result: ReplayResult) -> [String] {
    let name = result.names[view.id] ?? view.id
    var lines = ["", "\(name): " + (view.error.map { "status \($0.response.status.rawValue)" } ?? "closed")]
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
    var text = "\(Number.grouped(Int(clamping: result.notifications))) notifications"
    if !outcomes.isEmpty { text += " (" + outcomes.joined(separator: ", ") + ")" }
    text += " on \(Number.grouped(result.connections)) connections: "
    if !result.isSame {
      let count = Int(clamping: result.differences)
      return text + style.paint("\(Number.grouped(count)) difference\(count == 1 ? "" : "s")", .red)
    }
    if result.comparesJournal { return text + style.paint("the same journal, byte for byte", .green) }
    return text
      + (result.hasRecordedAnswers ? "the same answers" : "no answers are recorded to compare with")
  }

  private func write() {
    do { try output.write(text.utf8) } catch { failure = failure ?? error }
    text = ""
  }

  private static func row(_ cells: String...) -> String {
    let widths = [10, 12, 10, 26, 0]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }.joined(separator: "  ")
  }
}
