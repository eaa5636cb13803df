/// Arrays of source code, as `xxd -i` and debuggers write them:
///
/// ```text
/// unsigned char frame[] = {
///   0x01, 0x00
/// };
/// ```
extension HexDump {
  /// A text with blanks in place of everything but what stands between the braces of an array of bytes, so that lines
  /// and columns stay; the text itself where it has none.
  static func withoutDeclaration(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let open = text.firstIndex(of: UInt8(ascii: "{")), isDeclaration(text[..<open]) else { return text }
    let close = text[open...].firstIndex(of: UInt8(ascii: "}")) ?? text.endIndex
    var masked = text
    for place in text.indices where place <= open || place >= close {
      if text[place] != 0x0A, text[place] != 0x0D { masked[place] = 0x20 }
    }
    return masked
  }

  /// `unsigned char x[] =`, `static const uint8_t frame[75] =`, `byte[] frame = new byte[]`
  private static func isDeclaration(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count < 1024, text.contains(UInt8(ascii: "[")), text.contains(UInt8(ascii: "=")) else {
      return false
    }
    return ["char", "uint8", "byte", "u8"].contains { text.firstRange(of: Array($0.utf8)) != nil }
  }
}
