import APNSimScenario

/// Cuts a stream of server-sent events into events (HTML Living Standard, 9.2.6), however its bytes are split.
struct EventStreamParser {
  /// One event.
  struct Event: Hashable, Sendable {
    /// The last id that the stream has given.
    var id: String?
    /// `message` unless the stream says otherwise.
    var name: String
    /// The lines of its data, joined by newlines.
    var data: [UInt8]
  }

  /// The longest data of an event, that of a journal line; more is no event of the simulator.
  static let longestEvent = DocumentLimits.journalLine

  private var line: [UInt8] = []
  private var lastWasReturn = false
  private var id: String?
  private var name = ""
  private var data: [UInt8]?
  /// The pause before connecting again that the server asks for.
  private(set) var retry: Duration?
  /// True after a line or an event that was too long; no more events come then.
  private(set) var isBroken = false

  /// The events that are complete with these bytes, in order.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      guard !isBroken else { break }
      defer { lastWasReturn = byte == UInt8(ascii: "\r") }
      switch byte {
      case UInt8(ascii: "\n") where lastWasReturn: continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = endLine() { events.append(event) }
      default:
        line.append(byte)
        if line.count > Self.longestEvent { isBroken = true }
      }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return dispatch() }
    let mark = line.firstIndex(of: UInt8(ascii: ":"))
    guard mark != line.startIndex else { return nil }  // a comment, which keeps the connection alive
    var value = mark.map { line[line.index(after: $0)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<(mark ?? line.endIndex)], as: UTF8.self) {
    case "data":
      var text = data.map { $0 + [UInt8(ascii: "\n")] } ?? []
      text += value
      if text.count > Self.longestEvent { isBroken = true } else { data = text }
    case "event": name = String(decoding: value, as: UTF8.self)
    case "id":
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      let milliseconds = Int64(String(decoding: value, as: UTF8.self))
      if let milliseconds, milliseconds >= 0, milliseconds <= 60_000 { retry = .milliseconds(milliseconds) }
    default: break
    }
    return nil
  }

  /// An event without data is none.
  private mutating func dispatch() -> Event? {
    defer { (data, name) = (nil, "") }
    return data.map { Event(id: id, name: name.isEmpty ? "message" : name, data: $0) }
  }
}
