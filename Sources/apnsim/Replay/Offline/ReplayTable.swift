import APNSimCapture
import APNSimCore
import APNSimWire

/// A replay for people: a row for each notification, then the resent ones, then the totals.
final class ReplayTable: ReplayReport {
  private let output: CaptureOutput
  private let style: Style
  private let isQuiet: Bool
  private var failure: (any Error)?
  private var rows: ReplayRows

  init(_ path: String, _ style: Style, isQuiet: Bool) throws {
    output = try CaptureOutput(path: path)
    (self.style, self.isQuiet, rows) = (style, isQuiet, ReplayRows(style))
  }

  func add(_ notification: ReplayedNotification) {
    rows.add(notification)
    if rows.bytes.count > CaptureOutput.piece { write() }
  }

  func finish(_ result: ReplayResult, after span: Duration) throws {
    for line in isQuiet ? [] : Self.resendReport(of: result) { rows.add(line: line) }
    if !isQuiet, !result.resends.isEmpty { rows.add(line: "") }
    rows.add(line: sum(result))
    write()
    if let failure { throw failure }
    try output.finish()
  }

  /// The notifications that each connection's provider had to send again, for connections that lost some.
  static func resendReport(of result: ReplayResult) -> [String] {
    result.resends.flatMap { resend($0, result) }
  }

  private static func resend(_ view: ConnectionView, _ result: ReplayResult) -> [String] {
    let name = result.names[view.id] ?? view.id
    let end = view.error.map { "status \($0.response.status.rawValue) (\($0.response.status.name))" }
    var lines = ["", "resend report of \(name): \(end ?? "closed without an error response")"]
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
    if !result.gaps.isEmpty { return text + "the same up to the missing lines" }
    if result.comparesJournal {
      let end = result.damage != nil ? ", up to the damage" : result.endsEarly ? ", as far as it goes" : ""
      return text + style.paint("the same journal, byte for byte\(end)", .green)
    }
    guard result.hasRecordedAnswers else { return text + "no answers are recorded to compare with" }
    return text + "the same answers" + (result.comparesEverything ? "" : " where they can be compared")
  }

  private func write() {
    do { try output.write(rows.bytes) } catch { failure = failure ?? error }
    rows.removeAll()
  }
}
