import APNSimWire

/// The usual mistakes in the path of a request. Each answer is a hint, nil where the path has no such shape.
struct PathMistakes {
  /// The path as sent.
  let path: UnsafeRawBufferPointer

  // MARK: The path

  /// The mistake behind a path that names nothing.
  var unknownPath: String? {
    let text = String(decoding: path.prefix(Self.longest), as: UTF8.self).lowercased()
    if text.contains("messages:send") || text.contains("fcm/send") {
      return "this is a path of Firebase Cloud Messaging: APNs has \(Self.devicePath)"
    }
    if text.contains("broadcast") { return "a broadcast goes to /4/broadcasts/apps/<bundle ID>" }
    if text.contains("channel") {
      return "the path is /1/apps/<bundle ID>/channels, or /1/apps/<bundle ID>/all-channels"
    }
    return "the path is \(lastToken.map { "/3/device/\($0)" } ?? Self.devicePath)"
  }

  /// The last part of the path that can be a device token.
  private var lastToken: String? {
    let parts = path.prefix(Self.longest).split { $0 == UInt8(ascii: "/") }
    guard let last = parts.last, last.count >= 64, last.allSatisfy(TokenForm.isHex) else { return nil }
    return String(decoding: last, as: UTF8.self)
  }

  private static let devicePath = "/3/device/<device token in hex digits>"
  /// A longer path is looked at so far.
  private static let longest = 1024

  // MARK: The device token

  /// The mistake behind a device token that no device can have; nil for one that some device may have.
  /// - Parameter text: what the path has after `/3/device/`.
  static func token(_ text: UnsafeRawBufferPointer) -> String? {
    let plain = decoded(text.prefix(longest))
    return plain.withUnsafeBytes { plain in
      guard plain.allSatisfy(TokenForm.isHex) else { return foreignText(plain) }
      guard plain.count % 2 == 0 else {
        return "\(plain.count) hex digits: two stand for a byte, so one is missing or too many"
      }
      return (Hex.decode(plain) ?? []).withUnsafeBytes { wrongBytes($0) }
    }
  }

  private static func foreignText(_ text: UnsafeRawBufferPointer) -> String? {
    guard let form = TokenForm(text) else { return "a device token is written in hex digits" }
    let wanted = form == .base64 ? "the hex digits of the bytes" : "the hex digits alone"
    switch form {
    case .hexAfter0x, .description, .surrounded: return "the token is \(form.words): send \(wanted)"
    default: return "the token is \(form.words): \(form.remedy(wanted))"
    }
  }

  /// The mistake that shows in the bytes that the digits name.
  private static func wrongBytes(_ bytes: UnsafeRawBufferPointer) -> String? {
    if let form = TokenForm(bytes), form.isCertain || bytes.count > DeviceToken.byteCount {
      let inner = String(decoding: bytes, as: UTF8.self)
      let again = form == .hex ? ": encoded twice" : ""
      return "the digits name \(form.words)\(again): the text '\(inner)'"
    }
    let text = Base64.encode(bytes)
    if bytes.count >= enoughToTell, text.utf8.allSatisfy(TokenForm.isHex) {
      return
        "these \(bytes.count) bytes are what hex digits give when they are decoded as Base64: send '\(text)'"
    }
    if bytes.count < DeviceToken.byteCount {
      return "the token has \(bytes.count) bytes, and no device token has fewer than 32: was it cut?"
    }
    return bytes.count > TokenSizes.maximum
      ? "the token has \(bytes.count) bytes, and no device token has more than \(TokenSizes.maximum)" : nil
  }

  /// A text without percent-encoding.
  private static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var (plain, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hex.value(of:)),
        let low = rest.dropFirst().first.flatMap(Hex.value(of:))
      {
        plain.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte)
      }
    }
    return plain
  }

  /// The number of bytes that tell whether they are text.
  private static let enoughToTell = 16
}
