/// A decoded header list, in the order in which it was sent, as one piece of memory.
///
/// ```text
/// field   number u8 | flags u8 | name length u16 | value length u32 | name | value        (little endian)
/// ```
///
/// A name that has a number (``HeaderName``) is not written out. The value of `authorization` never stands here; its
/// field does, with an empty value, so that repetitions are seen. The bytes are those of the connection and valid until
/// its next read; they are the same on every machine and may be kept as they are.
package struct HeaderList: Sequence {
  static let prefix = 8

  package let bytes: UnsafeRawBufferPointer

  @inline(__always)
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  @inline(__always)
  package func makeIterator() -> Iterator { Iterator(bytes: bytes) }

  /// A field of the list.
  package struct Field {
    package var name: HeaderName
    /// The sender forbade to index it (RFC 7541 section 6.2.3).
    package var isNeverIndexed: Bool
    /// The name as text, where it is ``HeaderName/other``; otherwise empty.
    package var otherName: UnsafeRawBufferPointer
    package var value: UnsafeRawBufferPointer

    /// The name as text.
    package var nameText: String {
      name == .other ? String(decoding: otherName, as: UTF8.self) : name.text.description
    }

    package var valueText: String { String(decoding: value, as: UTF8.self) }
  }

  /// The name of the first field that makes a request malformed, as it was sent; empty where it is the list as a whole.
  func flawedName(_ takesWhiteSpace: Bool) -> [UInt8] {
    var facts = HeaderFacts(.request)
    facts.takesWhiteSpace = takesWhiteSpace
    for field in self {
      let text = field.name.text
      let name =
        field.name == .other
        ? field.otherName : UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      facts.note(field.name, name, field.value, FieldFlaw(field.name, name, field.value))
      if facts.flaw != nil { return Array(name) }
    }
    facts.finish()
    // The one value that is not here.
    return facts.flaw == nil ? Array("authorization".utf8) : []
  }

  package struct Iterator: IteratorProtocol {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    @inline(__always)
    package mutating func next() -> Field? {
      let start = offset &+ HeaderList.prefix
      guard start <= bytes.count else { return nil }
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let nameCount = Int(UInt16(truncatingIfNeeded: word >> 16))
      let valueCount = Int(word >> 32)
      guard bytes.count &- start >= nameCount &+ valueCount else { return nil }
      offset = start &+ nameCount &+ valueCount
      return Field(
        name: HeaderName(rawValue: UInt8(truncatingIfNeeded: word)) ?? .other,
        isNeverIndexed: word & 0x100 != 0,
        otherName: bytes.slice(start, nameCount),
        value: bytes.slice(start &+ nameCount, valueCount)
      )
    }
  }

  /// Writes the eight bytes before name and value.
  @inline(__always)
  static func write(
    _ name: HeaderName,
    isNeverIndexed: Bool,
    nameCount: Int,
    valueCount: Int,
    to place: UnsafeMutableRawBufferPointer
  ) {
    var word = UInt64(UInt32(truncatingIfNeeded: valueCount)) << 32
    word |= UInt64(UInt16(truncatingIfNeeded: nameCount)) << 16
    word |= UInt64(name.rawValue) | (isNeverIndexed ? 0x100 : 0)
    place.storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}
