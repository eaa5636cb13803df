internal import APNSimCore
internal import Yams

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
      second.key.report("a rule has one fault: add another rule for \"\(second.name)\"")
      return nil
    }
    return read(entry.name, nameAt: entry.key, entry.value.isNull ? nil : entry.value)
  }

  private static func read(_ name: String, nameAt place: Value, _ value: Value?) -> Rule.Action? {
    switch name {
    case "shutdown": return ReplyReader.shutdown(value).map { .reply($0) }
    case "swallow": return plain(.swallow, name, value)
    case "blackHole": return plain(.blackHole, name, value)
    case "feedbackHoldOpen": return plain(.feedbackHoldOpen, name, value)
    case "feedbackKeep": return plain(.feedbackKeep, name, value)
    case "close": return trigger(name, value).map { .fault(.close($0)) }
    case "reset": return trigger(name, value).map { .fault(.reset($0)) }
    case "stopReading": return trigger(name, value).map { .fault(.stopReading($0)) }
    case "refuseHandshake":
      return HandshakeRefusalReader.read(value, place).map { .fault(.refuseHandshake($0)) }
    case "slice": return slice(value, place).map { .fault($0) }
    case "feedbackTruncate":
      guard let value = value ?? missing(place, "feedbackTruncate: 20") else { return nil }
      return value.integer("feedbackTruncate").map { .fault(.feedbackTruncate(bytes: $0)) }
    case "acceptDelay": return span(name, value, place).map { .fault(.acceptDelay($0)) }
    case "latency": return span(name, value, place).map { .fault(.latency($0)) }
    case "idleClose": return span(name, value, place).map { .fault(.idleClose($0)) }
    // Right after the handshake needs no time.
    case "closeAfterHandshake" where value == nil: return .fault(.closeAfterHandshake(.zero))
    case "closeAfterHandshake": return span(name, value, place).map { .fault(.closeAfterHandshake($0)) }
    default:
      place.report(
        "unknown fault \"\(name)\"; known faults: \(Enumeration.and(names))",
        suggestion: NearestName.find(name, among: names)
      )
      return nil
    }
  }

  /// The faults that need nothing but their names.
  private static func plain(_ fault: Fault, _ name: String, _ value: Value?) -> Rule.Action {
    if let value, let isOn = value.flag(name), !isOn { value.mismatch("true for \(name)") }
    return .fault(fault)
  }

  /// Faults of the stream: at the matched notification, or once so much of the connection has been read.
  private static func trigger(_ name: String, _ value: Value?) -> Fault.Trigger? {
    guard let value, value.scalar != "now" else { return .now }
    guard let fields = Fields(value, of: "a \(name)", keys: ["afterBytes", "afterFrames"]) else { return nil }
    switch (fields["afterBytes"], fields["afterFrames"]) {
    case (let bytes?, nil): return bytes.integer("afterBytes").map { .afterBytes($0) }
    case (nil, let frames?): return frames.integer("afterFrames").map { .afterFrames($0) }
    case (nil, nil): return .now
    case (_?, let frames?):
      frames.report("a \(name) has \"afterBytes\" or \"afterFrames\", not both")
      return nil
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

  private static func span(_ name: String, _ value: Value?, _ place: Value) -> TimeSpan? {
    (value ?? missing(place, "\(name): 200ms"))?.timeSpan(name)
  }

  private static func missing(_ place: Value, _ example: String) -> Value? {
    place.report("this fault needs a value, such as { \(example) }")
    return nil
  }
}

/// Reads how a provider's certificate is refused: `revoked`, `close`, `{ alert: 44 }`.
enum HandshakeRefusalReader {
  /// The alerts that the gateway was seen to answer with (RFC 5246, section 7.2).
  private static let alerts: [(name: String, number: UInt8)] = [
    ("revoked", 44), ("expired", 45), ("unknown", 46), ("unknownCA", 48), ("handshakeFailure", 40),
  ]

  static func read(_ value: Value?, _ place: Value) -> Fault.HandshakeRefusal? {
    let names = alerts.map(\.name) + ["close"]
    let expected = "\(names.joined(separator: ", ")) or { alert: 44 } as the refusal"
    guard let value else {
      place.report("expected \(expected), found nothing")
      return nil
    }
    guard let text = value.scalar else {
      guard let fields = Fields(value, of: "a refusal", keys: ["alert"]) else { return nil }
      return fields.require("alert")?.integer("the TLS alert", 1...255).map { .alert(UInt8(clamping: $0)) }
    }
    if text == "close" { return .close }
    if let alert = alerts.first(where: { $0.name == text })?.number { return .alert(alert) }
    value.mismatch(expected, suggestion: NearestName.find(text, among: names))
    return nil
  }
}
