import APNSimCore
import APNSimTLS

/// Issues device tokens under the token key that lies with the certificates: opaque, always the same,
/// unforgeable.
struct TokenAuthority: TokenIssuing {
  private let cipher: TokenCipher

  init(_ directory: PKIDirectory) throws(TLSSetupError) {
    cipher = try TokenCipher(key: directory.tokenKey())
  }

  func issue(device: [UInt8], app: AppKey) -> [UInt8] {
    // The cipher refuses only identities that are not 16 bytes, which the core never makes.
    cipher.seal(deviceID: device, topic: app.topic, environment: app.environment.rawValue) ?? []
  }

  func open(_ token: [UInt8], app: AppKey) -> [UInt8]? {
    cipher.open(token: token, topic: app.topic, environment: app.environment.rawValue)
  }
}
