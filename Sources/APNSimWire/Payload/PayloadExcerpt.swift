/// A description in words of the bytes at the offset of a problem.
struct PayloadExcerpt {
  private let bytes: [UInt8]
  private let encoding: PayloadEncoding

  /// Takes the bytes from the problem on; a few dozen are enough.
  init(_ bytes: [UInt8], encoding: PayloadEncoding) {
    self.bytes = bytes
    self.encoding = encoding
  }

  func description(for problem: PayloadProblem) -> String {
    switch problem.category {
    case .apsMissing: "none"
    case .encoding: rawBytes(for: problem)
    case .root, .apsType, .keyType: value
    case .none, .syntax, .depth:
      switch problem {
      case .invalidEscape: quoted(text.prefix(2))
      case .invalidLiteral: quoted(text.prefix(16).prefix { $0.properties.isAlphabetic })
      default: character
      }
    }
  }

  /// The type of the value that begins here.
  private var value: String {
    guard let first = text.first, first.isASCII, let kind = JSONKind(startingWith: UInt8(first.value)) else {
      return character
    }
    switch kind {
    case .string: return "a string"
    case .number: return "a number"
    case .boolean: return first == "t" ? "true" : "false"
    case .null: return "null"
    case .object: return "a dictionary"
    case .array: return "an array"
    }
  }

  private var character: String {
    guard let first = text.first else { return "the end of the payload" }
    return quoted([first])
  }

  private func quoted(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    for scalar in scalars {
      guard scalar.value >= 0x20, scalar.value < 0x7F else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return text.isEmpty ? code : "'\(text)' and \(code)"
      }
      text.unicodeScalars.append(scalar)
    }
    return text == "'" ? "a single quote" : "'\(text)'"
  }

  private func rawBytes(for problem: PayloadProblem) -> String {
    let count =
      problem == .invalidUTF8 ? 1 : problem == .byteOrderMark && encoding == .utf8 ? 3 : encoding.width
    let shown = bytes.prefix(problem == .byteOrderMark && bytes.first != 0xEF ? 2 : count)
    return (shown.count == 1 ? "byte " : "bytes ") + shown.map { Hex.encode([$0]) }.joined(separator: " ")
  }

  /// The scalars of the bytes, as far as they are text.
  private var text: [Unicode.Scalar] {
    bytes.withUnsafeBytes { buffer in
      let utf8 = encoding == .utf8 ? bytes : PayloadText(buffer, encoding: encoding).utf8
      return Array(String(decoding: utf8, as: UTF8.self).unicodeScalars)
    }
  }
}
