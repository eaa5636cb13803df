/// The Unicode encoding of a JSON text.
package enum PayloadEncoding: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case utf8
  case utf16BigEndian
  case utf16LittleEndian
  case utf32BigEndian
  case utf32LittleEndian

  /// Bytes per code unit.
  package var width: Int {
    switch self {
    case .utf8: 1
    case .utf16BigEndian, .utf16LittleEndian: 2
    case .utf32BigEndian, .utf32LittleEndian: 4
    }
  }

  /// Detects the encoding by the nulls among the first four octets (RFC 4627, section 3). The first two characters
  /// of a JSON text are always ASCII, so this is not a guess; a text of fewer than four octets can only be UTF-8.
  package init(detecting buffer: UnsafeRawBufferPointer) {
    guard buffer.count >= 4 else {
      self = .utf8
      return
    }
    self =
      switch (buffer[0] == 0, buffer[1] == 0, buffer[2] == 0, buffer[3] == 0) {
      case (true, true, true, false): .utf32BigEndian
      case (true, false, true, false): .utf16BigEndian
      case (false, true, true, true): .utf32LittleEndian
      case (false, true, false, true): .utf16LittleEndian
      default: .utf8
      }
  }
}

extension PayloadEncoding: CustomStringConvertible {
  package var description: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16BigEndian: "UTF-16BE"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf32BigEndian: "UTF-32BE"
    case .utf32LittleEndian: "UTF-32LE"
    }
  }
}
