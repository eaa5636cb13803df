package import APNSimWire

/// The findings about a request's right to push: the evidence that is kept in place of the provider token itself.
package struct RequestAuthorization: Hashable, Sendable {
  /// The scheme of the authorization header, `none` without one.
  package let scheme: Request.Scheme
  /// The connection has a provider certificate, with which the header counts for nothing.
  package let hasCertificate: Bool
  /// One for all requests with the same token: a request is copied on its way.
  private let known: Finding

  /// The finding about the token of the scheme `bearer`.
  package var token: ProviderTokenFacts? { known.token }
  /// The encoding of the finding.
  package var finding: [UInt8] { known.bytes }
  /// The header's value had white space at its ends, which did not count.
  package var isSurrounded = false

  package init(scheme: Request.Scheme = .none, hasCertificate: Bool = false, token: ProviderTokenFacts? = nil)
  {
    (self.scheme, self.hasCertificate) = (scheme, hasCertificate)
    var finding: [UInt8] = []
    token?.append(to: &finding)
    known = Finding(token, finding)
  }

  /// An authorization as evidence has it.
  init(scheme: Request.Scheme, hasCertificate: Bool, finding: UnsafeRawBufferPointer) {
    (self.scheme, self.hasCertificate) = (scheme, hasCertificate)
    let token = ProviderTokenFacts(finding)
    known = Finding(token, token == nil ? [] : Array(finding))
  }

  package static let certificate = RequestAuthorization(hasCertificate: true)
  /// A request without the header.
  package static let none = RequestAuthorization()

  /// True for one and the same finding, which is known without looking into it.
  func isSame(as other: RequestAuthorization) -> Bool {
    known === other.known && hasCertificate == other.hasCertificate
      && scheme.rawValue == other.scheme.rawValue
  }

  /// The parts of the token that are known without copying it.
  var number: UInt64? { known.token?.number }
  var isTimeText: Bool { known.token?.isTimeText ?? false }
  var isSignatureDER: Bool { known.token?.isSignatureDER ?? false }
  var isOtherForm: Bool { known.token?.isOtherForm ?? false }

  package static func bearer(_ token: ProviderTokenFacts) -> RequestAuthorization {
    RequestAuthorization(scheme: .bearer, token: token)
  }
}

extension RequestAuthorization {
  private final class Finding: Hashable, Sendable {
    let token: ProviderTokenFacts?
    let bytes: [UInt8]

    init(_ token: ProviderTokenFacts?, _ bytes: [UInt8]) { (self.token, self.bytes) = (token, bytes) }

    static func == (left: Finding, right: Finding) -> Bool {
      left === right || left.token == right.token && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  }
}

extension ProviderTokenFacts {
  /// Number (8 bytes) and time (8), big-endian, verdict with its remarks (1) and environment of the key's scope (1, 0 for both),
  /// then key, team, the scope's team and its topics, each with its length in two bytes before it; an absent team has none.
  /// One that is malformed has what is wrong with it in the place of topics.
  func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: number)
    bytes.append(bigEndian: issuedAt)
    let place = Self.verdicts.firstIndex(of: verdict).map { UInt8($0) } ?? Self.verdictMask
    let remarks: UInt8 = (isTimeText ? Self.textTime : 0) | (isSignatureDER ? Self.derSignature : 0)
    bytes.append(place | remarks | (isOtherForm ? Self.otherForm : 0))
    let environments = PushEnvironment.allCases
    bytes.append(scope.environment.flatMap { environments.firstIndex(of: $0) }.map { UInt8($0 + 1) } ?? 0)
    // Topics come last, as many as there is room for in two bytes.
    for text in [keyID, teamID, scope.team ?? ""] + (problem.isEmpty ? scope.topics : [problem]) {
      let text = text.utf8.prefix(1024)
      guard bytes.count + text.count + 2 <= Self.mostBytes else { return }
      bytes.append(bigEndian: UInt16(text.count))
      bytes.append(contentsOf: text)
    }
  }

  private static let verdicts: [Verdict] = [
    .good, .malformed, .unknownKey, .badSignature, .unverified, .swapped,
  ]
  /// The bits of the verdict's byte: its place, and remarks that recordings of earlier versions do not have.
  private static let verdictMask: UInt8 = 0x1F
  private static let otherForm: UInt8 = 0x20
  private static let textTime: UInt8 = 0x40
  private static let derSignature: UInt8 = 0x80
  private static let mostBytes = Int(UInt16.max)

  private static func remarks(_ byte: UInt8) -> ProviderToken.Remarks {
    let ofTime: ProviderToken.Remarks = byte & textTime == 0 ? [] : .textIssuedAt
    let ofForm: ProviderToken.Remarks = byte & otherForm == 0 ? [] : .otherAlgorithm
    return (byte & derSignature == 0 ? ofTime : ofTime.union(.derSignature)).union(ofForm)
  }

  /// Nil for bytes that are no such encoding.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 18, Int(bytes[16] & Self.verdictMask) < Self.verdicts.count else { return nil }
    var texts: [String] = []
    var place = 18
    while place + 2 <= bytes.count {
      let count = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
      guard place + 2 + count <= bytes.count else { return nil }
      texts.append(String(decoding: bytes[place + 2..<place + 2 + count], as: UTF8.self))
      place += 2 + count
    }
    guard texts.count >= 3, place == bytes.count else { return nil }
    let environments = PushEnvironment.allCases
    let environment = Int(bytes[17])
    guard environment <= environments.count else { return nil }
    let verdict = Self.verdicts[Int(bytes[16] & Self.verdictMask)]
    let others = Array(texts[3...])
    self.init(
      number: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      keyID: texts[0],
      teamID: texts[1],
      issuedAt: Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)),
      verdict: verdict,
      scope: ProviderKeyScope(
        team: texts[2].isEmpty ? nil : texts[2],
        environment: environment == 0 ? nil : environments[environment - 1],
        topics: verdict == .malformed ? [] : others
      ),
      remarks: Self.remarks(bytes[16])
    )
    if verdict == .malformed { problem = others.first ?? "" }
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
