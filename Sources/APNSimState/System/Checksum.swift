import CProcessor

/// The checksum (CRC-32C) by which files know that what they hold is whole.
enum Checksum {
  /// - Parameter seed: the checksum of the bytes before these, or any number that is to be part of it.
  @inline(__always)
  static func of(_ bytes: UnsafeRawBufferPointer, after seed: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress else { return seed }
    return apnsim_crc32c(seed, start, bytes.count)
  }
}
