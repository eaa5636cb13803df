import APNSimScenario
import APNSimWire

/// Bytes that people paste: as they are, in hex digits and dumps of them, or in Base64.
enum InputBytes {
  enum Format: String, CaseIterable, Sendable {
    case auto
    case raw
    case hex
    case base64
  }

  /// The bytes that a text or binary input stands for; nil when it is not of the format.
  ///
  /// No packet of the protocol is printable text, so with `auto` anything printable is hex or Base64.
  static func read(_ input: [UInt8], as format: Format) -> [UInt8]? {
    switch format {
    case .raw: return input
    case .hex: return try? HexDump.bytes(of: input[...])
    case .base64: return base64(input)
    case .auto:
      guard isText(input) else { return input }
      return (try? HexDump.bytes(of: input[...])) ?? base64(input) ?? input
    }
  }

  private static func base64(_ input: [UInt8]) -> [UInt8]? {
    Base64.decode(String(decoding: input.filter { !isWhiteSpace($0) }, as: UTF8.self))
  }

  private static func isText(_ input: [UInt8]) -> Bool {
    input.allSatisfy { (0x20..<0x7F).contains($0) || isWhiteSpace($0) }
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
}
