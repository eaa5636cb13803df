import APNSimCapture
import APNSimCore
import APNSimServer
import APNSimWire

/// A replay for people: the verdict, then a row for each notification and the resent ones, which wait on the disk for
/// it.
final class ReplayTable: ReplayReport {
  private let output: CaptureOutput
  private let style: Style
  private let spool: Spool?
  private let isWanted: Bool
  private var rows: ReplayRows

  /// - Parameters:
  ///   - isQuiet: true for the verdict alone.
  ///   - isWanted: true for the rows also where there is no difference.
  init(_ path: String, _ style: Style, isQuiet: Bool, isWanted: Bool) throws {
    output = try CaptureOutput(path, nil, for: .other)
    spool = isQuiet ? nil : try Spool()
    (self.style, self.isWanted, rows) = (style, isWanted, ReplayRows(style))
  }

  func add(_ notification: ReplayedNotification) {
    rows.add(notification)
    if rows.bytes.count > CaptureOutput.piece { keep() }
  }

  func finish(_ result: ReplayResult, after span: Duration) throws {
    for line in spool == nil ? [] : Self.resendReport(of: result) { rows.add(line: line) }
    keep()
    try output.write(Array("\(TerminalText.safe(sum(result)))\n".utf8))
    if let spool, isWanted || !result.isSame, result.notifications > 0 {
      try output.write([0x0A])
      try spool.copy(to: output)
    }
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

  private func keep() {
    spool?.write(rows.bytes)
    rows.removeAll()
  }
}
