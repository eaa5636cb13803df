import COpenSSL
import Synchronization

/// Makes device tokens that are opaque, deterministic and cannot be forged: AES-SIV (RFC 5297) of the device
/// identifier, bound to topic and environment.
///
/// ```
/// token (32 bytes) = synthetic IV (16, also the proof of origin) · encrypted device identifier (16)
/// ```
///
/// The same device, topic and environment always give the same token under one key. It is safe to use from all threads.
///
/// An identifier is one block, for which AES-SIV comes down to a few of them; OpenSSL's makes its contexts anew for each
/// message. A beginning may issue a hundred thousand tokens.
package final class TokenCipher: Sendable {
  package static let deviceIDSize = BlockCipher.blockSize
  package static let tokenSize = 2 * BlockCipher.blockSize
  /// The size of a new key in bytes: two AES-256 keys.
  package static let keySize = 64

  /// The two ciphers, for one thread at a time, and what follows from the key.
  private struct Keyed: ~Copyable {
    let authenticating: BlockCipher
    let encrypting: BlockCipher
    /// The app of the latest token, with what it adds to the identifiers of all devices: the next one is often for the same.
    private var latest: (topic: String, environment: String, sum: UInt128)?

    init(_ authenticating: consuming BlockCipher, _ encrypting: consuming BlockCipher) {
      self.authenticating = authenticating
      self.encrypting = encrypting
    }

    /// The synthetic IV (RFC 5297, section 2.4).
    mutating func vector(of device: UInt128, _ topic: String, _ environment: String) -> UInt128 {
      let sum = sum(of: topic, environment)
      return withUnsafeBytes(of: (device ^ sum).bigEndian) { authenticating.authenticate($0) }
    }

    private mutating func sum(of topic: String, _ environment: String) -> UInt128 {
      if let latest, topic.utf8.elementsEqual(latest.topic.utf8),
        environment.utf8.elementsEqual(latest.environment.utf8)
      {
        return latest.sum
      }
      let sum = sum(Array(topic.utf8), Array(environment.utf8))
      latest = (topic, environment, sum)
      return sum
    }

    private func sum(_ associatedData: [UInt8]...) -> UInt128 {
      let zero = withUnsafeBytes(of: UInt128.zero) { authenticating.authenticate($0) }
      return associatedData.reduce(zero) { sum, data in
        sum.doubled ^ data.withUnsafeBytes { authenticating.authenticate($0) }
      }
    }

    /// Encrypts or decrypts (section 2.5): the counter begins at the vector without two of its bits.
    func mask(_ vector: UInt128) -> UInt128 { encrypting.encrypt(vector & ~(1 << 63 | 1 << 31)) }
  }

  private let keyed: Mutex<Keyed>

  /// - Parameter key: 32 bytes (AES-128-SIV), 48 or 64 (AES-256-SIV).
  package init(key: [UInt8]) throws(TLSSetupError) {
    _ = OpenSSL.initialise
    guard [32, 48, 64].contains(key.count) else {
      throw TLSSetupError(reason: "expected a token key of 32, 48 or 64 bytes, found \(key.count)")
    }
    let half = key.count / 2
    keyed = Mutex(
      Keyed(try BlockCipher(key: Array(key.prefix(half))), try BlockCipher(key: Array(key.suffix(half))))
    )
  }

  /// Makes the token of a device for an app in an environment; `nil` unless the identifier has 16 bytes.
  package func seal(deviceID: [UInt8], topic: String, environment: String) -> [UInt8]? {
    guard deviceID.count == Self.deviceIDSize else { return nil }
    let device = deviceID.withUnsafeBytes { $0.block(at: 0) }
    let (vector, encrypted) = keyed.withLock { keyed in
      let vector = keyed.vector(of: device, topic, environment)
      return (vector, device ^ keyed.mask(vector))
    }
    return vector.bytes + encrypted.bytes
  }

  /// Recovers the device identifier of a token that this key made for this app and environment; `nil` for any other
  /// bytes.
  package func open(token: [UInt8], topic: String, environment: String) -> [UInt8]? {
    guard token.count == Self.tokenSize else { return nil }
    let (vector, encrypted) = token.withUnsafeBytes { ($0.block(at: 0), $0.block(at: BlockCipher.blockSize)) }
    return keyed.withLock { keyed in
      let device = encrypted ^ keyed.mask(vector)
      let expected = keyed.vector(of: device, topic, environment)
      return vector == expected ? device.bytes : nil
    }
  }
}

extension UInt128 {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
