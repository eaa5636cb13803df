import APNSimWire

/// A provider token is refused with a short reason, or what was read of it is within its bounds, and a token made of
/// that is read as the same.
enum TokenProperty {
  static func violation(_ input: [UInt8]) -> String? {
    let token: ProviderToken
    do throws(ProviderTokenProblem) { token = try ProviderToken.parse(input) } catch {
      return error.description.utf8.count <= 1024 ? nil : "a refusal of \(error.description.utf8.count) bytes"
    }
    guard token.issuedAt >= 0 else { return "issued at \(token.issuedAt)" }
    guard token.signedSize < input.count, input[token.signedSize] == UInt8(ascii: ".") else {
      return "\(token.signedSize) bytes are signed of \(input.count)"
    }
    guard input[..<token.signedSize].count(where: { $0 == UInt8(ascii: ".") }) == 1 else {
      return "what is signed is not two parts"
    }
    let size = token.signature.count
    guard token.remarks.contains(.derSignature) ? (8...72).contains(size) : size == 64 else {
      return "a signature of \(size) bytes"
    }
    guard let again = try? ProviderToken.parse(text(of: token)) else { return "made again it is refused" }
    return again.keyID == token.keyID && again.teamID == token.teamID && again.issuedAt == token.issuedAt
      && again.signature == token.signature ? nil : "made again it is another"
  }

  private static func text(of token: ProviderToken) -> [UInt8] {
    let header = JSONValue.object([
      .init(key: "alg", value: .string("ES256")), .init(key: "kid", value: .string(token.keyID)),
    ])
    // Seconds above this are read as milliseconds.
    let isLate = token.issuedAt >= 100_000_000_000
    let claims = JSONValue.object([
      .init(key: "iss", value: .string(token.teamID)),
      .init(key: "iat", value: .number("\(token.issuedAt)\(isLate ? "000" : "")")),
    ])
    let parts = [Array(header.description.utf8), Array(claims.description.utf8), token.signature]
    return Array(parts.map(base64URL).joined(separator: [UInt8(ascii: ".")]))
  }

  private static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    Base64.encode(bytes).utf8.compactMap { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
  }
}
