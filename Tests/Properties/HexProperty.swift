internal import APNSimScenario
internal import APNSimWire

/// Hex dumps of any form are refused or read, and what was read comes back when it is written plainly.
enum HexProperty {
  /// A squeezed run may stand for many bytes; writing those again is only slow.
  private static let limit = 1 << 20

  static func violation(_ input: [UInt8]) -> String? {
    guard let bytes = ImportProperty.hex(input), bytes.count <= limit else { return nil }
    return ImportProperty.hex(Array(Hex.encode(bytes).utf8)) == bytes ? nil : "the bytes do not come back"
  }
}
