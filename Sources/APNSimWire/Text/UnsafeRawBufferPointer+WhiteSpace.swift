extension UnsafeRawBufferPointer {
  /// The bytes without the spaces and tabs at their ends, which are no part of a header's value (RFC 9110 section 5.5).
  package var withoutWhiteSpace: UnsafeRawBufferPointer {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let rest = drop(while: isSpace)
    let end = rest.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? rest.endIndex
    return UnsafeRawBufferPointer(rebasing: rest[..<end])
  }
}
