import COpenSSL

/// Makes device tokens that are opaque, deterministic and cannot be forged: AES-SIV (RFC 5297) of the device
/// identifier, bound to topic and environment.
///
/// ```
/// token (32 bytes) = synthetic IV (16, also the proof of origin) · encrypted device identifier (16)
/// ```
///
/// The same device, topic and environment always give the same token under one key. It is safe to use from all
/// threads: the keyed contexts are only read once they are made, and each operation has its own copy.
package final class TokenCipher: @unchecked Sendable {
  package static let deviceIDSize = 16
  package static let tokenSize = 32
  /// The size of a new key in bytes: two AES-256 keys.
  package static let keySize = 64
  private static let tagSize = 16

  /// The contexts are keyed once; every operation works on a copy.
  private let sealing: OpaquePointer
  private let opening: OpaquePointer

  /// - Parameter key: 32 bytes (AES-128-SIV), 48 or 64 (AES-256-SIV).
  package init(key: [UInt8]) throws(TLSSetupError) {
    _ = OpenSSL.initialise
    guard [32, 48, 64].contains(key.count) else {
      throw TLSSetupError(reason: "expected a token key of 32, 48 or 64 bytes, found \(key.count)")
    }
    guard let cipher = EVP_CIPHER_fetch(nil, "AES-\(key.count * 4)-SIV", nil) else {
      throw TLSSetupError(reason: "this OpenSSL has no AES-SIV: \(OpenSSL.lastReason())")
    }
    defer { EVP_CIPHER_free(cipher) }
    let sealing = EVP_CIPHER_CTX_new()
    guard let sealing, let opening = EVP_CIPHER_CTX_new() else {
      EVP_CIPHER_CTX_free(sealing)
      throw TLSSetupError(reason: "out of memory")
    }
    self.sealing = sealing
    self.opening = opening
    guard
      EVP_EncryptInit_ex(sealing, cipher, nil, key, nil) == 1,
      EVP_DecryptInit_ex(opening, cipher, nil, key, nil) == 1
    else { throw TLSSetupError(reason: "OpenSSL refuses the token key: \(OpenSSL.lastReason())") }
  }

  deinit {
    EVP_CIPHER_CTX_free(sealing)
    EVP_CIPHER_CTX_free(opening)
  }

  /// Makes the token of a device for an app in an environment; `nil` unless the identifier has 16 bytes.
  package func seal(deviceID: [UInt8], topic: String, environment: String) -> [UInt8]? {
    guard deviceID.count == Self.deviceIDSize else { return nil }
    return seal(deviceID, associatedData: [Array(topic.utf8), Array(environment.utf8)])
  }

  /// Recovers the device identifier of a token that this key made for this app and environment; `nil` for any other
  /// bytes.
  package func open(token: [UInt8], topic: String, environment: String) -> [UInt8]? {
    guard token.count == Self.tokenSize else { return nil }
    return open(token, associatedData: [Array(topic.utf8), Array(environment.utf8)])
  }

  /// Encrypts: the result is the synthetic IV, then the ciphertext (RFC 5297, section 2.6).
  func seal(_ plaintext: [UInt8], associatedData: [[UInt8]]) -> [UInt8]? {
    guard let context = Self.copy(sealing) else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var count: Int32 = 0
    for data in associatedData {
      guard EVP_EncryptUpdate(context, nil, &count, data, Int32(clamping: data.count)) == 1 else {
        return nil
      }
    }
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: Self.tagSize)
    guard
      EVP_EncryptUpdate(context, &ciphertext, &count, plaintext, Int32(clamping: plaintext.count)) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), &tag) == 1
    else { return nil }
    return tag + ciphertext
  }

  func open(_ sealed: [UInt8], associatedData: [[UInt8]]) -> [UInt8]? {
    guard sealed.count >= Self.tagSize, let context = Self.copy(opening) else { return nil }
    defer {
      EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    var tag = Array(sealed.prefix(Self.tagSize))
    let ciphertext = Array(sealed.dropFirst(Self.tagSize))
    guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), &tag) == 1 else {
      return nil
    }
    var count: Int32 = 0
    for data in associatedData {
      guard EVP_DecryptUpdate(context, nil, &count, data, Int32(clamping: data.count)) == 1 else {
        return nil
      }
    }
    var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
    guard EVP_DecryptUpdate(context, &plaintext, &count, ciphertext, Int32(clamping: ciphertext.count)) == 1
    else { return nil }
    return plaintext
  }

  private static func copy(_ context: OpaquePointer) -> OpaquePointer? {
    guard let copy = EVP_CIPHER_CTX_new() else { return nil }
    guard EVP_CIPHER_CTX_copy(copy, context) == 1 else {
      EVP_CIPHER_CTX_free(copy)
      return nil
    }
    return copy
  }
}
