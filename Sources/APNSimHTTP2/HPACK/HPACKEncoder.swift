/// Writes header fields without any state: nothing is ever added to the peer's table, so nothing can go wrong with it
/// after a fault.
package enum HPACKEncoder {
  /// The representation of a literal (RFC 7541 section 6.2).
  package enum Representation: UInt8, Sendable, CaseIterable {
    case withoutIndexing = 0x00
    case neverIndexed = 0x10
    /// The peer adds it to its table; the caller knows what that means for later indexes.
    case incrementalIndexing = 0x40
  }

  /// An integer (section 5.1) whose first byte has `prefix` bits for it below `pattern`.
  @inline(__always)
  package static func append(integer: Int, prefix: UInt8, pattern: UInt8 = 0, to out: inout GrowingBytes) {
    let most = (1 << Int(prefix)) - 1
    guard integer >= most else { return out.append(pattern | UInt8(truncatingIfNeeded: integer)) }
    out.append(pattern | UInt8(truncatingIfNeeded: most))
    var rest = integer - most
    while rest >= 128 {
      out.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    out.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A string (section 5.2).
  package static func append(
    string: UnsafeRawBufferPointer,
    isHuffman: Bool = false,
    to out: inout GrowingBytes
  ) {
    guard isHuffman else {
      append(integer: string.count, prefix: 7, to: &out)
      return out.append(string)
    }
    append(integer: HuffmanEncoder.byteCount(of: string), prefix: 7, pattern: 0x80, to: &out)
    HuffmanEncoder.append(string, to: &out)
  }

  /// An indexed field (section 6.1).
  package static func append(index: Int, to out: inout GrowingBytes) {
    append(integer: index, prefix: 7, pattern: 0x80, to: &out)
  }

  /// A table size update (section 6.3).
  package static func append(tableSize: Int, to out: inout GrowingBytes) {
    append(integer: tableSize, prefix: 5, pattern: 0x20, to: &out)
  }

  /// A literal whose name is indexed.
  package static func append(
    nameIndex: Int,
    value: [UInt8],
    _ representation: Representation = .withoutIndexing,
    isHuffman: Bool = false,
    to out: inout GrowingBytes
  ) {
    let prefix: UInt8 = representation == .incrementalIndexing ? 6 : 4
    append(integer: nameIndex, prefix: prefix, pattern: representation.rawValue, to: &out)
    value.withUnsafeBytes { append(string: $0, isHuffman: isHuffman, to: &out) }
  }

  /// A literal with its name.
  package static func append(
    name: [UInt8],
    value: [UInt8],
    _ representation: Representation = .withoutIndexing,
    isHuffman: Bool = false,
    to out: inout GrowingBytes
  ) {
    out.append(representation.rawValue)
    name.withUnsafeBytes { append(string: $0, isHuffman: isHuffman, to: &out) }
    value.withUnsafeBytes { append(string: $0, isHuffman: isHuffman, to: &out) }
  }

  /// `:status`: an index where the static table has it, else `08 03 "429"`.
  @inline(__always)
  package static func append(status: Int, to out: inout GrowingBytes) {
    switch status {
    case 200: out.append(0x88)
    case 400: out.append(0x8C)
    case 404: out.append(0x8D)
    case 500: out.append(0x8E)
    default:
      let digits = [100, 10, 1].map { UInt8(truncatingIfNeeded: status / $0 % 10) + 0x30 }
      append(nameIndex: 8, value: digits, to: &out)
    }
  }

  /// `00 07 "apns-id" 24 …`: a literal with its name, not Huffman-coded, which is the fastest for all.
  @inline(__always)
  package static func append(name: StaticString, value: UnsafeRawBufferPointer, to out: inout GrowingBytes) {
    append(
      name: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount),
      value: value,
      to: &out
    )
  }

  /// The same for a name that is known only when it is sent.
  package static func append(
    name: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    to out: inout GrowingBytes
  ) {
    guard name.count < 127, value.count < 127 else {
      out.append(0)
      append(string: name, to: &out)
      return append(string: value, to: &out)
    }
    // Lengths of one byte, as nearly all are.
    let count = 3 &+ name.count &+ value.count
    let place = out.end(room: count)
    place[0] = 0
    place[1] = UInt8(truncatingIfNeeded: name.count)
    UnsafeMutableRawBufferPointer(rebasing: place[2...]).copyMemory(from: name)
    place[2 &+ name.count] = UInt8(truncatingIfNeeded: value.count)
    UnsafeMutableRawBufferPointer(rebasing: place[(3 &+ name.count)...]).copyMemory(from: value)
    out.advance(by: count)
  }
}
