/// A flaw that makes a single header field malformed (RFC 9113 section 8.2), whatever stands around it.
package enum FieldFlaw: UInt8, BitwiseCopyable, Sendable {
  case none
  case name, value, whiteSpace, connectionSpecific, te

  var reason: StaticString {
    switch self {
    case .none: ""
    case .name: "a header name is a token in lower case (RFC 9113 section 8.2.1)"
    case .value: "a header value has no NUL, CR or LF (RFC 9113 section 8.2.1)"
    case .whiteSpace: "a header value has no space or tab at its ends (RFC 9113 section 8.2.1)"
    case .connectionSpecific: "headers of an HTTP/1.1 connection are forbidden (RFC 9113 section 8.2.2)"
    case .te: "te may only be `trailers` (RFC 9113 section 8.2.2)"
    }
  }

  /// Judges a field.
  @inline(__always)
  init(_ number: HeaderName, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    self = .none
    if number == .other, !Self.isName(name) {
      self = .name
    } else if number.isConnectionSpecific {
      self = .connectionSpecific
    } else if !Self.isValue(value) {
      self = Self.isValueWithin(value) ? .whiteSpace : .value
    } else if number == .te, !value.isEqual(to: "trailers") {
      self = .te
    }
  }

  /// A token (RFC 9110 section 5.6.2) without capital letters. A colon may stand in front: whether the pseudo-header
  /// is known is judged with the rest of the list.
  @inline(never)
  private static func isName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard !name.isEmpty else { return false }
    for (index, byte) in name.enumerated() {
      switch byte {
      case 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F, 0x2E: continue
      case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x5E, 0x60, 0x7C, 0x7E: continue
      case 0x3A where index == 0 && name.count > 1: continue
      default: return false
      }
    }
    return true
  }

  /// True for a value that has only spaces and tabs at its ends too many.
  @inline(never)
  private static func isValueWithin(_ value: UnsafeRawBufferPointer) -> Bool {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let rest = value.drop(while: isSpace)
    let end = rest.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? rest.startIndex
    return isValue(UnsafeRawBufferPointer(rebasing: rest[..<end]))
  }

  /// Eight bytes at a time: only bytes below a space are looked at closely.
  @inline(__always)
  private static func isValue(_ value: UnsafeRawBufferPointer) -> Bool {
    guard let first = value.first, let last = value.last else { return true }
    guard first > 0x20, last > 0x20 else { return false }
    var offset = 0
    var low: UInt64 = 0
    while offset &+ 8 <= value.count {
      let word = value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      low |= (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
      offset &+= 8
    }
    while offset < value.count {
      if value[offset] < 0x20 { low = 1 }
      offset &+= 1
    }
    return low == 0 || !value.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
  }
}
