/// A provider token as read: a JSON Web Token in compact form (RFC 7515, section 7.1), signed with a P-256 key ("Establishing
/// a token-based connection to APNs"). Nothing here says that its signature is good.
package struct ProviderToken: Hashable, Sendable {
  /// The longest token that is read, in bytes. Real ones have about 200.
  package static let maximumSize = 4096
  /// The longest key or team identifier that is read, in bytes. Apple's have ten.
  package static let maximumIdentifierSize = 64

  /// The header's `kid`.
  package var keyID: String
  /// The claim `iss`.
  package var teamID: String
  /// The claim `iat`, in seconds since 1970.
  package var issuedAt: Int64
  package var algorithm: Algorithm
  /// The number of bytes that are signed: header, full stop and claims as they stand in the token.
  package var signedSize: Int
  /// Raw r‖s of one of ``rawSizes``, or the DER sequence if ``remarks`` says so.
  package var signature: [UInt8]
  package var remarks: Remarks

  /// The algorithms that are taken, each over a P-256 key with the hash that it names. Documented is ES256; the others were
  /// taken for years (pushok).
  package enum Algorithm: String, BitwiseCopyable, Hashable, Sendable {
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
  }

  /// Oddities that are accepted and yet worth telling the provider's author.
  package struct Remarks: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `iat` is a string. Apple's sample has one; a test server of 2026 refuses it.
    package static let textIssuedAt = Remarks(rawValue: 1)
    /// `iat` counts milliseconds.
    package static let millisecondIssuedAt = Remarks(rawValue: 2)
    /// `iat` has a fraction or an exponent.
    package static let fractionalIssuedAt = Remarks(rawValue: 4)
    /// The signature is DER, which JSON Web Algorithms does not allow (RFC 7518, section 3.4) and APNs accepts.
    package static let derSignature = Remarks(rawValue: 8)
    /// The header has no `alg`.
    package static let noAlgorithm = Remarks(rawValue: 16)
    /// The header has members beside `alg` and `kid`, or the claims some beside `iss` and `iat`: they are ignored.
    package static let ignoredMembers = Remarks(rawValue: 32)
    /// `alg` is another one than ES256.
    package static let otherAlgorithm = Remarks(rawValue: 64)
    /// A part is plain Base64, or padded (apns4erl).
    package static let plainBase64 = Remarks(rawValue: 128)
  }
}

/// The reason why bytes are no provider token.
package struct ProviderTokenProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Part: String, Hashable, Sendable {
    case token, header, claims, signature
  }

  package var part: Part
  package var expected: String
  package var found: String

  package var description: String { "\(part.rawValue): expected \(expected), found \(found)" }
}
