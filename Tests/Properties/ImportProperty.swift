import APNSimCore
package import APNSimImport
import APNSimWire

/// Packet captures as their streams: of any bytes at all that are taken for one, reading ends, and nothing traps.
package enum ImportProperty {
  /// Reads bytes as a packet capture, through to the connections' streams.
  @discardableResult
  package static func read(_ bytes: [UInt8]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    guard var reader = try? PacketReader(CaptureInput(name: "", bytes: bytes)) else { return events }
    var table = ConversationTable(rules: .usual)
    var fragments = FragmentTable()
    while let packet = try? reader.next() {
      if case .segment(let segment) = fragments.take(PacketContent(packet)) {
        table.receive(segment, into: &events)
      }
    }
    fragments.finish()
    table.finish(into: &events)
    return events
  }

  /// The events in words, one a line: what two readings are compared by.
  package static func text(_ events: [StreamEvent]) -> [String] {
    events.map { event in
      let text =
        switch event.kind {
        case .opened(let connection):
          "opened \(connection.listener.rawValue) \(connection.environment.rawValue) \(connection.peer)"
            + (connection.isPartial ? ", in the middle" : "")
        case .bytes(let side, let bytes): "\(side) \(Hex.encode(bytes))"
        case .missing(let side, let count): "\(side) missing \(count.map { "\($0)" } ?? "?")"
        case .closed(.closed(let first)): "closed, \(first) first"
        case .closed(.reset(let side)): "reset by \(side)"
        case .closed(.unseen): "closed unseen"
        }
      return "\(event.connection) \(text)"
    }
  }
}
