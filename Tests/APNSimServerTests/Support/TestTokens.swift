import APNSimCore
import APNSimTLS
import APNSimTestSupport
import Foundation
import Testing

/// Provider tokens for tests, signed with the key that every directory of certificates has.
enum TestTokens {
  static let team = PKIDirectory.defaultTeam
  static let otherKey = "OTHERKEY01"
  static let otherTeam = "OTHER"

  static func key() throws -> ProviderKey { try ProviderKey.read(TestPKI.prepared().providerKeyFile) }

  /// The value of `authorization`.
  static func bearer(issuedAt: Timestamp, team: String = team) throws -> String {
    "bearer " + (try key().token(id: PKIDirectory.defaultProviderKey, team: team, issuedAt: issuedAt.seconds))
  }

  /// A key of another team in a file, as a setting names it.
  static let otherKeyFile: String? = {
    guard let key = try? ProviderKey.generate() else { return nil }
    let path = TemporaryDirectory.ofThisRun.file("AuthKey_\(otherKey).p8")
    return FileManager.default.createFile(atPath: path, contents: Data(key.pem)) ? path : nil
  }()

  /// A token of any header and claims, signed by the usual key.
  static func signed(
    _ header: String,
    _ claims: String,
    derSignature: Bool = false,
    by key: ProviderKey? = nil
  ) throws -> String {
    let text = base64(Array(header.utf8)) + "." + base64(Array(claims.utf8))
    let signature = try (key ?? TestTokens.key()).sign(Array(text.utf8))
    return "bearer \(text).\(base64(derSignature ? der(signature) : signature))"
  }

  /// r and s as a DER sequence of two integers.
  private static func der(_ raw: [UInt8]) -> [UInt8] {
    let numbers = [raw.prefix(32), raw.dropFirst(32)].map { part -> [UInt8] in
      var digits = Array(part.drop { $0 == 0 })
      if (digits.first ?? 0x80) >= 0x80 { digits.insert(0, at: 0) }
      return [2, UInt8(digits.count)] + digits
    }
    let content = numbers.flatMap { $0 }
    return [0x30, UInt8(content.count)] + content
  }

  static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
