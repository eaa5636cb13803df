import COpenSSL

/// Memory BIOs for libcrypto functions that read or write one.
enum MemoryBuffer {
  /// The bytes that `body` wrote; empty when it reported failure.
  static func collect(_ body: (OpaquePointer) -> Int32) -> [UInt8] {
    guard let bio = BIO_new(BIO_s_mem()) else { return [] }
    defer { BIO_free(bio) }
    guard body(bio) > 0 else { return [] }
    return contents(of: bio)
  }

  /// Runs `body` on a BIO that reads `bytes`.
  static func reading<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
    bytes.withUnsafeBytes { raw in
      guard let bio = BIO_new_mem_buf(raw.baseAddress, Int32(clamping: raw.count)) else { return nil }
      defer { BIO_free(bio) }
      return body(bio)
    }
  }

  private static func contents(of bio: OpaquePointer) -> [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    let count = apnsim_BIO_get_mem_data(bio, &start)
    guard count > 0, let start else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
