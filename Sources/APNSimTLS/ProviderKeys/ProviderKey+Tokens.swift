extension ProviderKey {
  /// A provider token for the authorization header, as Apple's documents describe it: a JSON Web Token of header
  /// `alg` and `kid`, claims `iss` and `iat`, with the signature in raw form.
  ///
  /// - Parameters:
  ///   - id: the key's identifier, and `team` that of its team: letters and digits, which JSON needs no escapes for.
  ///   - issuedAt: in seconds since 1970.
  ///   - isTimeText: `iat` is a string, as in Apple's sample.
  ///   - isDER: the signature is a DER sequence, as some libraries leave it.
  package func token(
    id: String,
    team: String,
    issuedAt: Int64,
    isTimeText: Bool = false,
    isDER: Bool = false
  ) throws(TLSSetupError) -> String {
    let header = Self.base64URL(Array(#"{"alg":"ES256","kid":"\#(id)"}"#.utf8))
    let time = isTimeText ? "\"\(issuedAt)\"" : "\(issuedAt)"
    let claims = Self.base64URL(Array(#"{"iss":"\#(team)","iat":\#(time)}"#.utf8))
    let signed = "\(header).\(claims)"
    let signature = try sign(Array(signed.utf8))
    return signed + "." + Self.base64URL(isDER ? ES256Signature.der(raw: signature) ?? [] : signature)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// RFC 4648 section 5, without padding.
  private static func base64URL(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0...group.count { text.append(digits[Int(bits >> UInt32(18 - 6 * index) & 63)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
