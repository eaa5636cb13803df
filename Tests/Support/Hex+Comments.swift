package import APNSimWire

extension Hex {
  /// The bytes of a text written for people: digits with any white space between them, and comments from `#` to the
  /// end of the line. The golden frames are such texts.
  package static func decode(commented text: some StringProtocol) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline)
    return decode(String(lines.flatMap { line in line.prefix { $0 != "#" }.filter { !$0.isWhitespace } }))
  }
}
