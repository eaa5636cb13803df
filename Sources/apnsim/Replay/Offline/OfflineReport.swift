import APNSimCapture
import APNSimCore
import APNSimWire

/// The report of a replay without a network: an entry for each notification.
struct OfflineReport: Report {
  typealias Entry = ReplayedNotification
  static let list: StaticString = "notifications"

  let suite: String
  let result: ReplayResult
  /// True where the rows of the notifications are shown, and the resent ones.
  private let showsRows: Bool

  /// - Parameters:
  ///   - name: the capture's.
  ///   - options: choose the rows; those of a replay without a difference have to be asked for.
  init(_ name: String, _ result: ReplayResult, _ options: OfflineReplayOptions) {
    (suite, self.result) = ("apnsim replay \(name)", result)
    let areWanted = options.format == .table || options.output != nil || !result.isSame
    showsRows = !options.quiet && areWanted && result.notifications > 0
  }

  // MARK: Text

  var mostShown: Int { showsRows ? .max : 0 }

  func head(_ style: Style) -> [String] { [sum(style)] + (showsRows ? ["", Entry.titles(style)] : []) }

  func end(_ style: Style) -> [String] { showsRows ? remarks : [] }

  private func sum(_ style: Style) -> String {
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

  /// The notifications that each connection's provider had to send again, for connections that lost some.
  var remarks: [String] { result.resends.flatMap(resend) }

  private func resend(_ view: ConnectionView) -> [String] {
    let end = view.error.map { "status \($0.response.status.rawValue) (\($0.response.status.name))" }
    var lines = ["", "resend report of \(name(view)): \(end ?? "closed without an error response")"]
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

  /// The connection's number in the capture.
  private func name(_ view: ConnectionView) -> ConnectionID { result.names[view.id] ?? view.id }

  // MARK: JSON

  func writeEnd(to writer: inout JSONWriter) {
    writer.member("total", result.notifications)
    writer.object("outcomes") { writer in
      for outcome in Outcome.allCases {
        guard let count = result.outcomes[outcome] else { continue }
        writer.key(outcome.description)
        writer.int(count)
      }
    }
    writer.member("connections", result.connections)
    writer.list("resend", result.resends) { view, writer in
      writer.member("connection", name(view).description)
      view.resend.writeMembers(to: &writer)
    }
    writer.member("comparesJournal", result.comparesJournal)
    writer.member("comparesAnswers", result.comparesJournal || result.hasRecordedAnswers)
    writer.member("same", result.isSame)
    writer.member("differences", result.differences)
    if let difference = result.firstDifference {
      writer.object("firstDifference") { write(difference, to: &$0) }
    }
    result.damage?.write(to: &writer)
    result.gaps.write(to: &writer)
    writer.member("missingBytes", result.missingBytes)
    writer.member("missingAnswerBytes", result.missingAnswerBytes)
    for reason in Uncompared.allCases { writer.member(reason.key, result.uncompared[reason] ?? 0) }
    write(counts: result.unknownEvents, "unknownEvents", to: &writer)
    write(counts: result.unknownKeys, "unknownKeys", to: &writer)
    writer.member("unknownCommands", result.commands.unknown)
    writer.member("failedCommands", result.commands.failed)
    writer.member("endsEarly", result.endsEarly)
  }

  private func write(counts: [String: Int], _ key: StaticString, to writer: inout JSONWriter) {
    writer.object(key) { writer in
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        writer.int(count)
      }
    }
  }

  private func write(_ difference: ReplayDifference, to writer: inout JSONWriter) {
    writer.member("kind", difference.kind.rawValue)
    if let connection = difference.connection { writer.member("connection", connection.description) }
    if let notification = difference.notification { writer.member("notification", notification) }
    for (key, bytes) in [
      ("recorded" as StaticString, difference.recorded), ("replayed", difference.replayed),
    ] {
      if difference.isText {
        writer.member(key, String(decoding: bytes, as: UTF8.self))
      } else {
        writer.member(key, hex: bytes)
      }
    }
  }

  // MARK: JUnit

  var cases: [TestCase] {
    [comparison] + result.uncomparedParts.map { skip($0.subject, $0.reason) }
      + [
        result.gaps.text.map { skip("what comes after missing lines", $0) },
        result.damage.map { skip("what comes after the damage", "\($0)") },
        hasUnknown ? skip("what is unknown to this version", "events, keys or commands of a later one") : nil,
      ].compactMap { $0 }
  }

  private var hasUnknown: Bool {
    !result.unknownEvents.isEmpty || !result.unknownKeys.isEmpty || result.commands.unknown > 0
  }

  private func skip(_ name: String, _ why: String) -> TestCase {
    TestCase(group: "capture", name: name, skipped: why)
  }

  private var comparison: TestCase {
    let subject =
      result.comparesJournal ? "the journal is the recorded one" : "the answers are the recorded ones"
    var testCase = TestCase(group: "capture", name: subject)
    if !result.comparesJournal, !result.hasRecordedAnswers {
      testCase.skipped = "no answers are recorded to compare with"
    }
    testCase.failure = result.firstDifference.map { difference in
      TestCase.Failure(
        kind: difference.kind.rawValue,
        message: Number.counted(Int(clamping: result.differences), "difference"),
        details: DifferenceText.lines(difference, isOnly: result.differences == 1).joined(separator: "\n")
      )
    }
    return testCase
  }
}
