import APNSimCore
import APNSimScenario
import APNSimWire

/// A replay for programs: one object, whose notifications are written as they come.
final class ReplayJSON: ReplayReport {
  private let output: CaptureOutput
  private var writer = JSONWriter()
  private var failure: (any Error)?

  init(_ path: String) throws {
    output = try CaptureOutput(path: path)
    writer.beginObject()
    writer.key("notifications")
    writer.beginArray()
  }

  func add(_ notification: ReplayedNotification) {
    let verdict = notification.verdict
    writer.beginObject()
    writer.key("connection")
    writer.string(notification.connection.description)
    writer.key("id")
    writer.string("n\(notification.recorded?.number ?? verdict.number)")
    writer.key("command")
    writer.int(verdict.command)
    writer.key("identifier")
    if let identifier = verdict.identifier { writer.string(identifier.hex) } else { writer.null() }
    writer.key("token")
    writer.hex(verdict.token)
    writer.key("outcome")
    writer.string(verdict.outcome.description)
    writer.key("status")
    writer.int(verdict.status)
    if let check = verdict.check {
      writer.key("check")
      writer.string(check)
    }
    writer.key("answer")
    writer.hex(notification.answer)
    if let recorded = notification.recorded {
      writer.key("recorded")
      writer.beginObject()
      writer.key("outcome")
      writer.string(recorded.outcome.description)
      writer.key("status")
      writer.int(recorded.status)
      writer.endObject()
      writer.key("same")
      writer.bool(notification.isSame)
    }
    writer.endObject()
    if writer.bytes.count > 65_536 { write() }
  }

  func finish(_ result: ReplayResult, after span: Duration) throws {
    writer.endArray()
    writer.key("total")
    writer.int(result.notifications)
    writer.key("outcomes")
    writer.beginObject()
    for outcome in Outcome.allCases {
      guard let count = result.outcomes[outcome] else { continue }
      writer.key(outcome.description)
      writer.int(count)
    }
    writer.endObject()
    writer.key("connections")
    writer.int(result.connections)
    writer.key("resend")
    writer.beginArray()
    for view in result.resends { write(view, result.names[view.id] ?? view.id) }
    writer.endArray()
    writer.key("comparesJournal")
    writer.bool(result.comparesJournal)
    writer.key("same")
    writer.bool(result.isSame)
    writer.key("differences")
    writer.int(result.differences)
    if let difference = result.firstDifference { write(difference) }
    if let damage = result.damage {
      writer.key("damage")
      writer.beginObject()
      writer.key("line")
      writer.int(damage.line)
      writer.key("offset")
      writer.int(damage.offset)
      writer.key("reason")
      writer.string(damage.reason)
      writer.endObject()
    }
    writer.key("missingBytes")
    writer.int(result.missingBytes)
    writer.endObject()
    writer.newline()
    write()
    if let failure { throw failure }
    try output.finish()
  }

  private func write(_ view: ConnectionView, _ name: ConnectionID) {
    writer.beginObject()
    writer.key("connection")
    writer.string(name.description)
    view.resend.writeMembers(to: &writer)
    writer.endObject()
  }

  private func write(_ difference: ReplayResult.Difference) {
    writer.key("firstDifference")
    writer.beginObject()
    writer.key("kind")
    writer.string(difference.kind.rawValue)
    if let connection = difference.connection {
      writer.key("connection")
      writer.string(connection.description)
    }
    if let notification = difference.notification {
      writer.key("notification")
      writer.string(notification)
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
    do { try output.write(writer.bytes) } catch { failure = failure ?? error }
    writer.removeBytes()
  }
}
