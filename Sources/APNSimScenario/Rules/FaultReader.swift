import APNSimCore
import Yams

/// Reads `fault`: a bare name (`swallow`), or a name with what it needs (`{ reset: { afterBytes: 40 } }`).
enum FaultReader {
  /// Every name, the most common first, and how it is written where it needs something.
  static let names = [
    "close", "reset", "swallow", "stopReading", "shutdown", "refuseHandshake", "acceptDelay", "latency",
    "slice",
    "closeAfterHandshake", "idleClose", "blackHole", "feedbackHoldOpen", "feedbackTruncate", "feedbackKeep",
  ]

  static func read(_ value: Value) -> Rule.Action? {
    if let name = value.scalar { return read(name, nameAt: value, nil) }
    let expected = "a fault, such as swallow or { reset: { afterBytes: 40 } }"
    let entries = value.entries(expected)
    guard let entry = entries.first else {
      if case .mapping = value.node { value.report("expected \(expected), found none") }
      if value.isNull { value.mismatch(expected) }
      return nil
    }
    if let second = entries.dropFirst().first {
      second.key.report("one rule has one fault: make another rule for \"\(second.name)\"")
      return nil
    }
    return read(entry.name, nameAt: entry.key, entry.value.isNull ? nil : entry.value)
  }

  private static func read(_ name: String, nameAt place: Value, _ value: Value?) -> Rule.Action? {
    switch name {
    case "shutdown": return ReplyReader.shutdown(value).map { .reply($0) }
    case "swallow", "blackHole", "feedbackHoldOpen", "feedbackKeep":
      if let value, let isOn = value.flag(name), !isOn { value.mismatch("true for \(name)") }
      return plain(name).map { .fault($0) }
    case "close", "reset", "stopReading": return stream(name, value).map { .fault($0) }
    case "refuseHandshake":
      return HandshakeRefusalReader.read(value, place).map { .fault(.refuseHandshake($0)) }
    case "slice": return slice(value, place).map { .fault($0) }
    case "feedbackTruncate":
      guard let value = value ?? missing(place, "feedbackTruncate: 20, the bytes that are sent") else {
        return nil
      }
      return value.integer("feedbackTruncate").map { .fault(.feedbackTruncate(bytes: $0)) }
    case "acceptDelay", "latency", "closeAfterHandshake", "idleClose":
      return span(name, value, place).map { .fault($0) }
    default:
      place.report(
        "unknown fault \"\(name)\"; known are \(Enumeration.and(names))",
        suggestion: NearestName.find(name, among: names)
      )
      return nil
    }
  }

  private static func plain(_ name: String) -> Fault? {
    switch name {
    case "swallow": .swallow
    case "blackHole": .blackHole
    case "feedbackHoldOpen": .feedbackHoldOpen
    case "feedbackKeep": .feedbackKeep
    default: nil
    }
  }

  /// Of the stream: at the matched notification, or once so much of the connection has been read.
  private static func stream(_ name: String, _ value: Value?) -> Fault? {
    var trigger = Fault.Trigger.now
    if let value, value.scalar != "now" {
      guard let fields = Fields(value, of: "a \(name)", keys: ["afterBytes", "afterFrames"]) else {
        return nil
      }
      switch (fields["afterBytes"], fields["afterFrames"]) {
      case (let bytes?, nil):
        guard let count = bytes.integer("afterBytes") else { return nil }
        trigger = .afterBytes(count)
      case (nil, let frames?):
        guard let count = frames.integer("afterFrames") else { return nil }
        trigger = .afterFrames(count)
      case (nil, nil): break
      case (_?, let frames?):
        frames.report("a \(name) has \"afterBytes\" or \"afterFrames\", not both")
        return nil
      }
    }
    switch name {
    case "close": return .close(trigger)
    case "reset": return .reset(trigger)
    default: return .stopReading(trigger)
    }
  }

  private static func slice(_ value: Value?, _ place: Value) -> Fault? {
    guard let value = value ?? missing(place, "slice: { bytes: 1, pause: 10ms }") else { return nil }
    if value.scalar != nil {
      return value.integer("the bytes of a slice", 1...16_384).map { .slice(bytes: $0, pause: .zero) }
    }
    guard let fields = Fields(value, of: "a slice", keys: ["bytes", "pause"]) else { return nil }
    let pause = fields["pause"].map { $0.timeSpan("the pause") } ?? .some(.zero)
    guard let bytes = fields.require("bytes")?.integer("the bytes of a slice", 1...16_384), let pause else {
      return nil
    }
    return .slice(bytes: bytes, pause: pause)
  }

  private static func span(_ name: String, _ value: Value?, _ place: Value) -> Fault? {
    // To be closed right after the handshake needs no time; the others do.
    if value == nil, name == "closeAfterHandshake" { return .closeAfterHandshake(.zero) }
    guard let value = value ?? missing(place, "\(name): 200ms"), let span = value.timeSpan(name) else {
      return nil
    }
    switch name {
    case "acceptDelay": return .acceptDelay(span)
    case "latency": return .latency(span)
    case "closeAfterHandshake": return .closeAfterHandshake(span)
    default: return .idleClose(span)
    }
  }

  private static func missing(_ place: Value, _ example: String) -> Value? {
    place.report("this fault needs more: { \(example) }")
    return nil
  }
}
