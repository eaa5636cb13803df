import APNSimWire

/// The form of a device token that was sent as text where its bytes, or their hex digits alone, were meant: one table for
/// both interfaces.
enum TokenForm: Hashable {
  case hex
  /// The digits with angle brackets or spaces, as `NSData` describes itself.
  case description
  /// The description that data has since iOS 13, which leaves digits out.
  case shortDescription
  case hexAfter0x
  /// The digits of a whole token with something else before or after them.
  case surrounded
  case base64
  case uuid
  case expo
  case firebase
  /// The word for a value that is not there.
  case nothing(String)

  /// Nil for bytes that are no text of a known form.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let form = Self.digits(bytes, text) ?? Self.foreign(text, bytes) {
      self = form
    } else if bytes.count >= Self.shortestBase64, bytes.allSatisfy(Self.isBase64) {
      self = .base64
    } else {
      return nil
    }
  }

  /// The forms of hex digits.
  private static func digits(_ bytes: UnsafeRawBufferPointer, _ text: String) -> TokenForm? {
    if bytes.allSatisfy(isHex) { return .hex }
    if text.hasPrefix("0x") || text.hasPrefix("0X"), bytes.dropFirst(2).allSatisfy(isHex) {
      return .hexAfter0x
    }
    if bytes.contains(where: isHex), bytes.allSatisfy({ isHex($0) || [0x20, 0x3C, 0x3E].contains($0) }) {
      return .description
    }
    if text.contains("bytes = 0x") || text.contains("bytes=0x") { return .shortDescription }
    return bytes.split(whereSeparator: { !isHex($0) }).contains { $0.count >= 64 } ? .surrounded : nil
  }

  /// The forms of what is no device token of Apple's.
  private static func foreign(_ text: String, _ bytes: UnsafeRawBufferPointer) -> TokenForm? {
    if nothings.contains(text.lowercased()) { return .nothing(text) }
    if Identifier.isCanonical(bytes) { return .uuid }
    if text.hasPrefix("ExponentPushToken") || text.hasPrefix("ExpoPushToken") { return .expo }
    return text.contains(":APA91") ? .firebase : nil
  }

  /// The form in words, after "the token is".
  var words: String {
    switch self {
    case .hex: "hex digits"
    case .description: "the text of its description, with angle brackets or spaces"
    case .shortDescription: "the description that data has since iOS 13, which leaves digits out"
    case .hexAfter0x: "hex digits after 0x"
    case .surrounded: "hex digits with something else before or after them"
    case .base64: "Base64"
    case .uuid: "a UUID, which names a device or an installation"
    case .expo: "one of Expo's own push service"
    case .firebase: "one of Firebase Cloud Messaging"
    case .nothing(let word): "the word '\(word)', for a value that is not there"
    }
  }

  /// The thing to do about it.
  /// - Parameter wanted: what the interface takes, for a text that names it: `the bytes`, `the hex digits`.
  func remedy(_ wanted: String) -> String {
    switch self {
    case .hex, .hexAfter0x: "send \(wanted) that the digits name"
    case .description, .surrounded: "send \(wanted) that it names"
    case .base64: "send \(wanted) that it encodes"
    case .shortDescription: "let the app write all bytes in hex digits"
    case .uuid, .expo, .firebase: "send the device token that the app gets from APNs"
    case .nothing: "the app's token did not reach the provider"
    }
  }

  /// True for a form that only a text can have, however short it is.
  var isCertain: Bool {
    switch self {
    case .hex, .base64, .description, .hexAfter0x: false
    default: true
    }
  }

  /// The words that programs write for a value that is not there.
  private static let nothings: Set<String> = [
    "undefined", "null", "(null)", "nil", "none", "nan", "[object object]", "optional(nil)", "false", "true",
  ]
  /// Shorter text is as likely a word.
  private static let shortestBase64 = 22

  static func isHex(_ byte: UInt8) -> Bool { Hex.value(of: byte) != nil }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: true
    default: false
    }
  }

  /// True for a byte that text goes on with.
  static func isText(_ byte: UInt8) -> Bool { isBase64(byte) || byte == 0x20 || byte == 0x3E }
}
