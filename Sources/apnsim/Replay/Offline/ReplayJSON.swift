import APNSimCapture
import APNSimCore
import APNSimServer
import APNSimWire

/// A replay for programs: one object, whose notifications are written as they come.
final class ReplayJSON: ReplayReport {
  private let output: CaptureOutput
  private var writer = JSONWriter()
  private var failure: (any Error)?

  init(_ path: String) throws {
    output = try CaptureOutput(path, nil, for: .other)
    writer.beginObject()
    writer.key("notifications")
    writer.beginArray()
  }

  func add(_ notification: ReplayedNotification) {
    Self.write(notification, to: &writer)
    if writer.bytes.count > CaptureOutput.piece { write() }
  }

  func finish(_ result: ReplayResult, after span: Duration) throws {
    writer.endArray()
    writer.member("total", result.notifications)
    writer.key("outcomes")
    writer.beginObject()
    for outcome in Outcome.allCases {
      guard let count = result.outcomes[outcome] else { continue }
      writer.key(outcome.description)
      writer.int(count)
    }
    writer.endObject()
    writer.member("connections", result.connections)
    writer.key("resend")
    writer.beginArray()
    for view in result.resends { write(view, result.names[view.id] ?? view.id) }
    writer.endArray()
    writer.member("comparesJournal", result.comparesJournal)
    writer.member("comparesAnswers", result.comparesJournal || result.hasRecordedAnswers)
    writer.member("same", result.isSame)
    writer.member("differences", result.differences)
    if let difference = result.firstDifference { write(difference) }
    result.damage?.write(to: &writer)
    result.gaps.write(to: &writer)
    writer.member("missingBytes", result.missingBytes)
    writer.member("missingAnswerBytes", result.missingAnswerBytes)
    for reason in Uncompared.allCases { writer.member(reason.key, result.uncompared[reason] ?? 0) }
    write(counts: result.unknownEvents, "unknownEvents")
    write(counts: result.unknownKeys, "unknownKeys")
    writer.member("unknownCommands", result.commands.unknown)
    writer.member("failedCommands", result.commands.failed)
    writer.member("endsEarly", result.endsEarly)
    writer.endObject()
    writer.newline()
    write()
    if let failure { throw failure }
    try output.finish()
  }

  private static func write(_ notification: ReplayedNotification, to writer: inout JSONWriter) {
    let verdict = notification.verdict
    writer.beginObject()
    writer.member("connection", notification.connection.description)
    writer.member("id", "n\(notification.number)")
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
    writer.member("answer", hex: notification.answer)
    if notification.answerWaits { writer.member("answerWaits", true) }
    if let recorded = notification.recorded {
      writer.key("recorded")
      writer.beginObject()
      writer.member("outcome", recorded.outcome.description)
      write(recorded.status, recorded.answer, to: &writer)
      writer.endObject()
      if notification.isCompared { writer.member("same", notification.isSame) }
    }
    if let difference = notification.stream {
      writer.member("recordedAnswer", difference.recordedText)
      writer.member("replayedAnswer", difference.replayedText)
      if notification.recorded == nil { writer.member("same", false) }
    }
    writer.endObject()
  }

  /// The status, and the reason of an answer to a request; null where nothing is answered.
  private static func write(_ status: UInt8, _ answer: RequestStatus?, to writer: inout JSONWriter) {
    guard let answer else { return writer.member("status", status) }
    writer.key("status")
    if let number = answer.number { writer.int(number) } else { writer.null() }
    if let reason = answer.reason { writer.member("reason", reason.name(documented: false)) }
  }

  private func write(_ view: ConnectionView, _ name: ConnectionID) {
    writer.beginObject()
    writer.member("connection", name.description)
    view.resend.writeMembers(to: &writer)
    writer.endObject()
  }

  private func write(counts: [String: Int], _ key: StaticString) {
    writer.key(key)
    writer.beginObject()
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      writer.int(count)
    }
    writer.endObject()
  }

  private func write(_ difference: ReplayResult.Difference) {
    writer.key("firstDifference")
    writer.beginObject()
    writer.member("kind", difference.kind.rawValue)
    if let connection = difference.connection {
      writer.member("connection", connection.description)
    }
    if let notification = difference.notification {
      writer.member("notification", notification)
    }
    for (key, bytes) in [
      ("recorded" as StaticString, difference.recorded), ("replayed", difference.replayed),
    ] {
      writer.key(key)
      if difference.isText {
        writer.string(String(decoding: bytes, as: UTF8.self))
      } else {
        writer.hex(bytes)
      }
    }
    writer.endObject()
  }

  private func write() {
    let text = TerminalText.safe(String(decoding: writer.bytes, as: UTF8.self))
    do { try output.write(text.utf8) } catch { failure = failure ?? error }
    writer.removeBytes()
  }
}
