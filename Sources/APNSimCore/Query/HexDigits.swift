import APNSimWire

/// The digits of a token, made where they are looked at and nowhere else.
enum HexDigits {
  static func of(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count * 2) { digits in
      Hex.write(bytes, to: digits)
      return body(UnsafeRawBufferPointer(digits))
    }
  }
}
