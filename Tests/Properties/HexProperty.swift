import APNSimImport
import APNSimWire

/// Hex dumps of any form are refused or read, and what was read comes back when it is written plainly.
enum HexProperty {
  /// A squeezed run may stand for many bytes; writing those again is only slow.
  private static let limit = 1 << 20

  static func violation(_ input: [UInt8]) -> String? {
    guard let bytes = read(input), bytes.count <= limit else { return nil }
    return read(Array(Hex.encode(bytes).utf8)) == bytes ? nil : "the bytes do not come back"
  }

  private static func read(_ text: [UInt8]) -> [UInt8]? { try? HexDump.bytes(of: text[...]) }
}
