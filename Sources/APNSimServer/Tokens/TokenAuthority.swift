package import APNSimCore
package import APNSimTLS

/// Issues device tokens under a token key: opaque, deterministic, and impossible to forge.
///
/// "APNs generates a device token using information contained in the unique device certificate … It then encrypts the
/// device token with a token key" (Local and Push Notification Programming Guide, 2011-08-09, "Token Generation and
/// Dispersal"). The key is stored with the certificates, so tokens outlive a run. The core asks only for tokens that
/// are not in its table: a notification costs no encryption.
package struct TokenAuthority: TokenIssuing {
  private let cipher: TokenCipher

  /// - Parameter key: the token key of 32, 48 or 64 bytes.
  package init(key: [UInt8]) throws(TLSSetupError) { cipher = try TokenCipher(key: key) }

  /// Makes the authority of a directory of certificates, with its `token.key`.
  package init(_ directory: PKIDirectory) throws(TLSSetupError) { try self.init(key: directory.tokenKey()) }

  package func issue(device: [UInt8], app: AppKey) -> [UInt8] {
    // The cipher refuses only identities that are not 16 bytes, which the core never makes.
    cipher.seal(deviceID: device, topic: app.topic, environment: app.environment.rawValue) ?? []
  }

  package func open(_ token: [UInt8], app: AppKey) -> [UInt8]? {
    cipher.open(token: token, topic: app.topic, environment: app.environment.rawValue)
  }
}
