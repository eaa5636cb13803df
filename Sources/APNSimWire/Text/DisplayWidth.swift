extension String {
  /// The number of terminal columns: two for a wide character (Unicode Standard Annex 11: W and F), none for a
  /// combining mark.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
  /// The number of terminal columns, that of the widest scalar.
  package var columns: Int { unicodeScalars.reduce(0) { max($0, $1.columns) } }
}

extension Unicode.Scalar {
  /// The number of terminal columns.
  package var columns: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }
  }

  /// The blocks of wide characters: Hangul, CJK and its punctuation, kana, full width forms, pictographs.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
