import COpenSSL

/// The private key of a PEM text that lost its form on the way: in one line with spaces, with `\n` written out, in quotes,
/// indented.
enum PEMRepair {
  /// The state of a key in PEM.
  enum Finding: Equatable {
    /// The same key in the form that PEM has.
    case key([UInt8])
    /// It is not whole: what is missing.
    case cut(String)
  }

  private static let dashes = "-----"
  /// The digits in a line (RFC 7468, section 2).
  private static let line = 64

  /// Nil for a text without the mark of an unencrypted private key, or with more than white space between its digits.
  static func find(in bytes: [UInt8]) -> Finding? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let (label, rest) = beginning(of: text) else { return nil }
    let mark = "\(dashes)END \(label)"
    let end = rest.firstRange(of: mark)
    guard let digits = digits(of: end.map { rest[..<$0.lowerBound] } ?? rest.prefix { $0 != "-" }) else {
      return nil
    }
    let der = decoded(digits)
    if let der, case .cut(let actual, let declared)? = DERDamage(der) {
      return .cut("it has \(actual) of \(declared) bytes")
    }
    guard end != nil else { return .cut("\(mark)\(dashes) is missing") }
    guard der != nil else {
      return .cut("\(digits.utf8.count) digits of Base64 are no whole number of bytes")
    }
    return .key(Array(pem(label, digits).utf8))
  }

  /// The label of the first private key, and what follows its mark.
  private static func beginning(of text: String) -> (label: Substring, rest: Substring)? {
    var rest = text[...]
    while let begin = rest.firstRange(of: "\(dashes)BEGIN ") {
      rest = rest[begin.upperBound...]
      guard let end = rest.firstRange(of: dashes) else { return nil }
      let label = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      if label.hasSuffix("PRIVATE KEY"), label != "ENCRYPTED PRIVATE KEY" { return (label, rest) }
    }
    return nil
  }

  /// The digits of Base64 without what stands between them; nil where that is more than white space, its escapes and quotes.
  private static func digits(of body: Substring) -> String? {
    var digits = ""
    var isEscape = false
    for scalar in body.unicodeScalars {
      defer { isEscape = scalar == "\\" }
      if isEscape, "nrt".unicodeScalars.contains(scalar) { continue }
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9", "+", "/", "=": digits.unicodeScalars.append(scalar)
      case " ", "\n", "\r", "\t", "\\", "\"", "'": continue
      default: return nil
      }
    }
    return digits
  }

  /// The bytes of digits of Base64; nil where they are no whole number.
  private static func decoded(_ digits: String) -> [UInt8]? {
    let text = Array(digits.utf8)
    var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
    guard text.count % 4 == 0, EVP_DecodeBlock(&bytes, text, Int32(clamping: text.count)) >= 0 else {
      ERR_clear_error()
      return nil
    }
    return bytes.dropLast(text.suffix(2).count { $0 == UInt8(ascii: "=") })
  }

  private static func pem(_ label: Substring, _ digits: String) -> String {
    var lines = ["\(dashes)BEGIN \(label)\(dashes)"]
    var rest = digits[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(line)))
      rest = rest.dropFirst(line)
    }
    return (lines + ["\(dashes)END \(label)\(dashes)", ""]).joined(separator: "\n")
  }
}
