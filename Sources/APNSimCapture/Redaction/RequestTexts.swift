import APNSimWire

/// Replaces what a provider wrote into a header list: only what is known stays, everything else keeps its length and its
/// shape. A text of one place becomes the same wherever the journal has it.
struct RequestTexts {
  /// Nil: what does not stay becomes its shape, by which a redacted request can be compared with one that is not.
  private let pseudonyms: TokenPseudonyms?
  private let shapes: ShapeFilling

  init(_ pseudonyms: TokenPseudonyms?) {
    self.pseudonyms = pseudonyms
    shapes = ShapeFilling(pseudonyms: pseudonyms)
  }

  func name(_ name: [UInt8]) -> [UInt8] {
    HeaderWords.names.contains(String(decoding: name, as: UTF8.self)) ? name : Self.blots(name)
  }

  /// The value of a header.
  func value(_ value: [UInt8], of name: String) -> [UInt8] {
    switch name {
    case ":path": path(value)
    case ":authority", "host": host(value)
    case "apns-topic": topic(value)
    case "apns-collapse-id": shapes.filled(value)
    case "apns-channel-id": channel(value)
    case ":method", ":scheme", "apns-id", "apns-request-id", "apns-push-type", "apns-priority",
      "apns-expiration":
      shapes.filled(value) { HeaderWords.isKnown($0, of: name) }
    default: HeaderWords.isKnown(value, of: name) ? value : Self.blots(value)
    }
  }

  /// The value of a header that the journal has as a text of its own.
  func text(_ text: String, of name: String) -> String {
    String(decoding: value(Array(text.utf8), of: name), as: UTF8.self)
  }

  /// The path of a request.
  func path(_ path: [UInt8]) -> [UInt8] {
    let (target, part) = Self.target(of: path)
    let replaced: [UInt8]
    switch target {
    case .unknown: return unknown(path)
    case .device: replaced = device(Array(path[part]))
    case .broadcast, .channels, .allChannels: replaced = topic(Array(path[part]))
    }
    return Array(path[..<part.lowerBound]) + replaced + path[part.upperBound...]
  }

  // MARK: Parts

  /// The subject of a path, and the place of the device token or the bundle ID.
  private static func target(of path: [UInt8]) -> (Request.Target, Range<Int>) {
    let name = Array(":path".utf8)
    let field = HeaderField(
      name: ByteRange(start: 0, count: UInt32(name.count)),
      value: ByteRange(start: UInt32(name.count), count: UInt32(clamping: path.count))
    )
    return (name + path).withUnsafeBytes { bytes in
      withUnsafePointer(to: field) { field in
        let request = RequestDecoder.decode(
          UnsafeBufferPointer(start: field, count: 1),
          in: bytes,
          bodyCount: 0
        )
        let part = request.target == .device ? request.deviceToken : request.bundleId
        guard part.isPresent else { return (request.target, path.count..<path.count) }
        let start = Int(part.start) - name.count
        return (request.target, start..<start + Int(part.count))
      }
    }
  }

  /// A device token, and what was sent in the place of one.
  private func device(_ digits: [UInt8]) -> [UInt8] {
    let text = String(decoding: digits, as: UTF8.self)
    return pseudonyms?.of(hex: text).map { Array($0.utf8) }
      ?? shapes.filled(digits) { Hex.decode(String(decoding: $0, as: UTF8.self)) != nil }
  }

  /// A path that names nothing still does so afterwards.
  private func unknown(_ path: [UInt8]) -> [UInt8] {
    var known: [Range<Int>] = []
    var start = 0
    for end in path.indices.filter({ path[$0] == UInt8(ascii: "/") }) + [path.count] {
      let segment = String(decoding: path[start..<end], as: UTF8.self).lowercased()
      if known.count < Self.mostKnown, HeaderWords.segments.contains(segment) { known.append(start..<end) }
      start = end + 1
    }
    return shapes.filled(path, keeping: known) { Self.target(of: $0).0 != .unknown }
  }

  private static let mostKnown = 16

  /// A topic stays if it is written as a bundle ID; the suffix of a push type stays in any case.
  private func topic(_ topic: [UInt8]) -> [UInt8] {
    guard !topic.isEmpty, !Self.isBundleId(topic) else { return replaced(topic) }
    let suffix = Self.suffix(of: topic)
    let filled = shapes.filled(Array(topic.dropLast(suffix))) { suffix == 0 && Self.suffix(of: $0) > 0 }
    return filled + topic.suffix(suffix)
  }

  private static func suffix(of topic: [UInt8]) -> Int {
    topic.withUnsafeBytes { PushType(suffixOf: $0) }?.row.topicSuffix.utf8CodeUnitCount ?? 0
  }

  private static func isBundleId(_ text: [UInt8]) -> Bool {
    text.count <= 255 && text.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
  }

  private func host(_ host: [UInt8]) -> [UInt8] {
    guard host.allSatisfy({ Self.isLetterOrDigit($0) || "-.:[]".utf8.contains($0) }) else {
      return shapes.filled(host)
    }
    return replaced(host)
  }

  /// The service's own identifiers have 24 characters. In a longer one, the digit before the padding stays, which has
  /// bits that must be zero.
  private func channel(_ identifier: [UInt8]) -> [UInt8] {
    if identifier.count <= Self.channelCount,
      Base64.decode(String(decoding: identifier, as: UTF8.self)) != nil
    {
      return identifier
    }
    let padding = identifier.firstIndex(of: UInt8(ascii: "="))
    let end = padding.map { max(0, $0 - 1) } ?? identifier.count
    return shapes.filled(Array(identifier[..<end])) + identifier[end...]
  }

  private static let channelCount = 24

  /// A text that stays, with a pseudonym for each part of it that looks like a token.
  private func replaced(_ text: [UInt8]) -> [UInt8] {
    pseudonyms.map { Array($0.replaced(in: String(decoding: text, as: UTF8.self)).utf8) } ?? text
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// The marks of a pseudo-header and between words stay.
  private static func blots(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") ? $0 : UInt8(ascii: "x") }
  }
}
