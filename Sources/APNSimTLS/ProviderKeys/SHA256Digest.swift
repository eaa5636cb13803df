import COpenSSL

/// The SHA-256 digest of some bytes, by which they are told apart without being kept.
package struct SHA256Digest: Hashable, Sendable, BitwiseCopyable {
  /// Its first eight bytes, big-endian.
  package let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Nil where libcrypto has no memory for it.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    let words = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { room -> [UInt64]? in
      let place = room.bindMemory(to: UInt8.self).baseAddress
      guard EVP_Digest(bytes.baseAddress, bytes.count, place, nil, EVP_sha256(), nil) == 1 else { return nil }
      return (0..<4).map { UInt64(bigEndian: room.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
    guard let words else { return nil }
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }
}
