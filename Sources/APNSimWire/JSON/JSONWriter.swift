/// Writes compact JSON straight into bytes: members in the order they are written, no white space.
///
/// The journal is written with it, so the same values always give the same bytes.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8]
  /// Whether the next value needs a comma before it.
  private var needsComma = false

  /// Continues after what `bytes` holds already.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package mutating func beginObject() { open(0x7B) }
  package mutating func endObject() { close(0x7D) }
  package mutating func beginArray() { open(0x5B) }
  package mutating func endArray() { close(0x5D) }

  /// A member's name that needs no escaping, as all names in the source do.
  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(0x22)
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(0x22)
    bytes.append(0x3A)
  }

  /// A member's name of any kind.
  package mutating func key(any name: String) {
    separate()
    quote(name)
    bytes.append(0x3A)
  }

  package mutating func string(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  package mutating func integer(_ value: some BinaryInteger) {
    separate()
    if value < 0 { bytes.append(0x2D) }
    var rest = UInt64(value.magnitude)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      repeat {
        start -= 1
        digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: digits[start..<20])
    }
    needsComma = true
  }

  package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  package mutating func null() { raw("null") }

  /// Bytes as a string of hexadecimal digits.
  package mutating func hex(_ value: some Collection<UInt8>) {
    separate()
    bytes.append(0x22)
    for byte in value {
      bytes.append(Hex.digit(byte >> 4))
      bytes.append(Hex.digit(byte & 15))
    }
    bytes.append(0x22)
    needsComma = true
  }

  /// Bytes as a string of Base64.
  package mutating func base64(_ value: some Collection<UInt8>) {
    separate()
    bytes.append(0x22)
    bytes.append(contentsOf: Base64.encode(value).utf8)
    bytes.append(0x22)
    needsComma = true
  }

  /// A value that is JSON already.
  package mutating func raw(_ value: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
    needsComma = true
  }

  /// ASCII that needs no escaping, as a string.
  package mutating func ascii(_ value: [UInt8]) {
    separate()
    bytes.append(0x22)
    bytes.append(contentsOf: value)
    bytes.append(0x22)
    needsComma = true
  }

  /// Ends a line of JSON lines; the next value starts afresh.
  package mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  private mutating func raw(_ value: StaticString) {
    separate()
    bytes.append(contentsOf: UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(0x2C) }
    needsComma = false
  }

  private mutating func quote(_ text: String) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0x0A: bytes += [0x5C, 0x6E]
      case 0x0D: bytes += [0x5C, 0x72]
      case 0x09: bytes += [0x5C, 0x74]
      case 0..<0x20, 0x7F:
        bytes += [0x5C, 0x75, 0x30, 0x30, Hex.digit(byte >> 4), Hex.digit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }
}
