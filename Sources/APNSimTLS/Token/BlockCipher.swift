import COpenSSL

/// AES under one key, on single blocks: each is a number, its first byte the highest.
struct BlockCipher: ~Copyable {
  static let blockSize = 16

  private let context: OpaquePointer
  /// Zero, encrypted: the keys of CMAC's last block are made of it.
  private let zero: UInt128

  /// - Parameter key: 16, 24 or 32 bytes.
  init(key: [UInt8]) throws(TLSSetupError) {
    guard let cipher = EVP_CIPHER_fetch(nil, "AES-\(key.count * 8)-ECB", nil) else {
      throw TLSSetupError(reason: "this OpenSSL has no AES: \(OpenSSL.lastReason())")
    }
    defer { EVP_CIPHER_free(cipher) }
    guard let context = EVP_CIPHER_CTX_new() else { throw TLSSetupError(reason: "out of memory") }
    guard EVP_EncryptInit_ex(context, cipher, nil, key, nil) == 1, EVP_CIPHER_CTX_set_padding(context, 0) == 1
    else {
      EVP_CIPHER_CTX_free(context)
      throw TLSSetupError(reason: "OpenSSL refuses the token key: \(OpenSSL.lastReason())")
    }
    self.context = context
    zero = Self.encrypt(0, context)
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  func encrypt(_ block: UInt128) -> UInt128 { Self.encrypt(block, context) }

  /// Nothing of a context that has its key is missing for a whole block: it cannot fail.
  private static func encrypt(_ block: UInt128, _ context: OpaquePointer) -> UInt128 {
    var (input, output) = (block.bigEndian, UInt128.zero)
    var count: Int32 = 0
    withUnsafeBytes(of: &input) { input in
      withUnsafeMutableBytes(of: &output) { output in
        let (from, to) = (
          input.assumingMemoryBound(to: UInt8.self), output.assumingMemoryBound(to: UInt8.self)
        )
        _ = EVP_EncryptUpdate(context, to.baseAddress, &count, from.baseAddress, Int32(blockSize))
      }
    }
    return UInt128(bigEndian: output)
  }

  /// CMAC (RFC 4493) of a message.
  func authenticate(_ message: UnsafeRawBufferPointer) -> UInt128 {
    let last = max(0, message.count - 1) / Self.blockSize * Self.blockSize
    var state = UInt128.zero
    for offset in stride(from: 0, to: last, by: Self.blockSize) {
      state = encrypt(state ^ message.block(at: offset))
    }
    let (subkey, rest) = (zero.doubled, message.count - last)
    guard rest < Self.blockSize else { return encrypt(state ^ message.block(at: last) ^ subkey) }
    let mark = UInt128(0x80) << UInt128(8 * (Self.blockSize - 1 - rest))
    return encrypt(state ^ message.block(at: last) ^ mark ^ subkey.doubled)
  }
}

extension UInt128 {
  /// Its double in the field of 128 bits that CMAC calculates in.
  var doubled: UInt128 { self << 1 ^ (self >> 127 == 1 ? 0x87 : 0) }
}

extension UnsafeRawBufferPointer {
  /// The block at an offset; zeros follow where it ends before.
  func block(at offset: Int) -> UInt128 {
    var block = UInt128.zero
    withUnsafeMutableBytes(of: &block) {
      $0.copyMemory(from: Self(rebasing: self[offset..<Swift.min(offset + 16, count)]))
    }
    return UInt128(bigEndian: block)
  }
}
