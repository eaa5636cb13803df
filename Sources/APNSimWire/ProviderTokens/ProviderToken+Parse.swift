extension ProviderToken {
  /// Reads a token: what follows `bearer` and a space in the authorization header.
  package static func parse(_ bytes: [UInt8]) throws(ProviderTokenProblem) -> ProviderToken {
    let parts = try parts(of: bytes)
    var remarks: Remarks = parts.contains { $0.contains { plain.contains($0) } } ? .plainBase64 : []
    let header = try object(parts[0], .header)
    let algorithm = try algorithm(of: header, &remarks)
    let keyID = try identifier("kid", of: header, .header)
    let claims = try object(parts[1], .claims)
    let teamID = try identifier("iss", of: claims, .claims)
    let issuedAt = try time(claims.member("iat"), &remarks)
    if hasOthers(header, than: ["alg", "kid"]) || hasOthers(claims, than: ["iss", "iat"]) {
      remarks.insert(.ignoredMembers)
    }
    let signature = try decode(parts[2], .signature)
    try checkForm(of: signature, &remarks)
    return ProviderToken(
      keyID: keyID,
      teamID: teamID,
      issuedAt: issuedAt,
      algorithm: algorithm,
      signedSize: parts[0].count + 1 + parts[1].count,
      signature: signature,
      remarks: remarks
    )
  }

  /// Reads of a token what can be read, where nobody looks at its signature: it has three parts, and a header that is an
  /// object.
  package static func parseUnverified(_ bytes: [UInt8]) throws(ProviderTokenProblem) -> ProviderToken {
    let parts = try parts(of: bytes)
    var remarks: Remarks = []
    let header = try object(parts[0], .header)
    let claims = try? object(parts[1], .claims)
    return ProviderToken(
      keyID: (try? identifier("kid", of: header, .header)) ?? "",
      teamID: claims.flatMap { try? identifier("iss", of: $0, .claims) } ?? "",
      issuedAt: claims.flatMap { try? time($0.member("iat"), &remarks) } ?? 0,
      algorithm: .es256,
      signedSize: parts[0].count + 1 + parts[1].count,
      signature: [],
      remarks: []
    )
  }

  /// Refuses the forms that version 0.2 did not take.
  package func expectDocumentedForm() throws(ProviderTokenProblem) {
    let isPadded = !remarks.contains(.derSignature) && signature.count > 64
    guard remarks.isDisjoint(with: [.otherAlgorithm, .plainBase64]), !isPadded else {
      throw ProviderTokenProblem(part: .token, expected: "ES256 in base64url", found: algorithm.rawValue)
    }
  }

  private static func parts(of bytes: [UInt8]) throws(ProviderTokenProblem) -> [ArraySlice<UInt8>] {
    guard bytes.count <= maximumSize else {
      throw ProviderTokenProblem(
        part: .token,
        expected: "at most \(maximumSize) bytes",
        found: "\(bytes.count)"
      )
    }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw ProviderTokenProblem(
        part: .token,
        expected: "three parts with full stops between them",
        found: "\(parts.count)"
      )
    }
    return parts
  }

  /// The digits of plain Base64 that base64url has not, and padding.
  private static let plain = Set("+/=".utf8)

  private static func algorithm(
    of header: JSONValue,
    _ remarks: inout Remarks
  ) throws(ProviderTokenProblem) -> Algorithm {
    guard let found = header.member("alg") else {
      remarks.insert(.noAlgorithm)
      return .es256
    }
    guard let algorithm = found.stringValue.flatMap({ Algorithm(rawValue: $0) }) else {
      throw ProviderTokenProblem(part: .header, expected: "alg ES256", found: shown(found))
    }
    if algorithm != .es256 { remarks.insert(.otherAlgorithm) }
    return algorithm
  }

  /// The bytes of r and s together: of 32 each, and padded with zeros as their sizes are in ES384 and ES512.
  package static let rawSizes: Set<Int> = [64, 96, 132]

  private static func checkForm(
    of signature: [UInt8],
    _ remarks: inout Remarks
  ) throws(ProviderTokenProblem) {
    if rawSizes.contains(signature.count) { return }
    guard (8...72).contains(signature.count), signature[0] == 0x30, Int(signature[1]) == signature.count - 2
    else {
      throw ProviderTokenProblem(
        part: .signature,
        expected: "r and s in 64 bytes (padded 96 or 132), or a DER sequence of 8 to 72",
        found: "\(signature.count) bytes"
      )
    }
    remarks.insert(.derSignature)
  }

  /// Decodes base64url (RFC 7515, section 2) and plain Base64, with padding and without.
  private static func decode(_ text: ArraySlice<UInt8>, _ part: ProviderTokenProblem.Part)
    throws(ProviderTokenProblem) -> [UInt8]
  {
    var standard: [UInt8] = []
    standard.reserveCapacity(text.count + 3)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      default: standard.append(byte)
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    var output: [UInt8] = []
    let isGood = standard.withUnsafeBytes { Base64.decode($0, into: &output) }
    guard isGood, !output.isEmpty else {
      throw ProviderTokenProblem(
        part: part,
        expected: "base64url",
        found: text.isEmpty ? "nothing" : "\(text.count) bytes that are not"
      )
    }
    return output
  }

  private static func object(_ text: ArraySlice<UInt8>, _ part: ProviderTokenProblem.Part)
    throws(ProviderTokenProblem) -> JSONValue
  {
    let bytes = try decode(text, part)
    guard let value = try? JSONValue.parse(bytes), case .object = value else {
      throw ProviderTokenProblem(
        part: part,
        expected: "a JSON object",
        found: "\(bytes.count) bytes that are none"
      )
    }
    return value
  }

  private static func identifier(_ name: String, of object: JSONValue, _ part: ProviderTokenProblem.Part)
    throws(ProviderTokenProblem) -> String
  {
    let value = object.member(name)
    guard let text = value?.stringValue, (1...maximumIdentifierSize).contains(text.utf8.count) else {
      throw ProviderTokenProblem(
        part: part,
        expected: "\(name), a string of 1 to \(maximumIdentifierSize) bytes",
        found: value.map(shown) ?? "none"
      )
    }
    return text
  }

  /// Reads seconds since 1970 as a number or a string; from 100,000,000,000 on they are milliseconds.
  private static func time(_ value: JSONValue?, _ remarks: inout Remarks) throws(ProviderTokenProblem)
    -> Int64
  {
    let digits: String?
    switch value {
    case .number(let text): digits = text
    case .string(let text):
      digits = text
      remarks.insert(.textIssuedAt)
    default: digits = nil
    }
    var number = digits.flatMap { Int64($0) }
    if number == nil, let fraction = digits.flatMap({ Double($0) }), fraction.magnitude < 1e15 {
      number = Int64(fraction.rounded(.down))
      remarks.insert(.fractionalIssuedAt)
    }
    guard let number, number >= 0 else {
      throw ProviderTokenProblem(
        part: .claims,
        expected: "iat, seconds since 1970",
        found: value.map(shown) ?? "none"
      )
    }
    guard number >= 100_000_000_000 else { return number }
    remarks.insert(.millisecondIssuedAt)
    return number / 1000
  }

  private static func hasOthers(_ object: JSONValue, than known: [String]) -> Bool {
    (object.objectValue ?? []).contains { !known.contains($0.key) }
  }

  /// The value's text, at most 40 characters of it.
  private static func shown(_ value: JSONValue) -> String {
    let text = value.description
    return text.count > 40 ? "\(text.prefix(40))…" : text
  }
}
