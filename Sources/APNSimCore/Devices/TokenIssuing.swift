import APNSimWire

/// Makes device tokens and knows its own again.
///
/// The core asks for tokens through this, so that it needs no cryptography: the TLS room fulfils it with AES-SIV
/// under the token key, tests and offline replay with ``SeededTokenIssuer``.
public protocol TokenIssuing: Sendable {
  /// The 32-byte token of a device (16 bytes of identity) for an app; always the same one.
  func issue(device: [UInt8], app: AppKey) -> [UInt8]

  /// The device that a token was issued to for that app, or nil if it was not.
  func open(_ token: [UInt8], app: AppKey) -> [UInt8]?
}

/// Issues tokens from a seed, without a key: reproducible, not unforgeable.
public struct SeededTokenIssuer: TokenIssuing {
  private let seed: UInt64

  public init(seed: UInt64) { self.seed = seed }

  public func issue(device: [UInt8], app: AppKey) -> [UInt8] {
    let half = digest(device, app, salt: 1) + digest(device, app, salt: 2)
    return half + zip(device, half).map { $0 ^ $1 }
  }

  public func open(_ token: [UInt8], app: AppKey) -> [UInt8]? {
    guard token.count == 32 else { return nil }
    let device = zip(token[16...], token[..<16]).map { $0 ^ $1 }
    return issue(device: device, app: app) == token ? device : nil
  }

  private func digest(_ device: [UInt8], _ app: AppKey, salt: UInt64) -> [UInt8] {
    let text = device + Array("\(app.environment.rawValue)/\(app.topic)".utf8)
    let hash = Hash64.of(text, seed: seed &+ salt)
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * $0)) }
  }
}

/// The identity that tokens are issued to: 16 bytes that follow from a device's name and how often its token has rotated.
package enum DeviceIdentity {
  /// - Parameter incarnation: the number of times that the device's token has rotated.
  package static func of(name: String, incarnation: UInt32 = 0) -> [UInt8] {
    var name = name
    let halves = name.withUTF8 { name in
      [1, 2].map { (salt: UInt64) in
        var hash = Hash64(seed: UInt64(incarnation) << 8 | salt)
        hash.combine(UnsafeRawBufferPointer(name))
        return hash.finalize().bigEndian
      }
    }
    return halves.withUnsafeBytes { Array($0) }
  }
}

/// The origin of a token that a device showed for an app and that is not registered for it: what the refusal says was
/// found. A replay reads it there, since the key that issued the token is in no capture.
package enum TokenOrigin: Hashable, CustomStringConvertible {
  /// Issued for the app, to another device.
  case otherDevice
  /// Issued for another app, or registered with it.
  case otherApp(AppKey)
  /// This simulator did not issue it.
  case elsewhere

  package var description: String {
    switch self {
    case .otherDevice: "a token that was issued to another device"
    case .otherApp(let app): "a token for \(app)"
    case .elsewhere: "a token that this simulator did not issue"
    }
  }
}
