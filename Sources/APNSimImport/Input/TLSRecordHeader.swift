/// The header of a TLS record: `type u8 | version u16 | length u16` (RFC 8446, section 5.1).
enum TLSRecordHeader {
  /// True where bytes begin with a type from 20 to 23 and a version from 3.0 to 3.4.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = Array(bytes.prefix(3))
    return start.count == 3 && (0x14...0x17).contains(start[0]) && start[1] == 3 && start[2] <= 4
  }
}
