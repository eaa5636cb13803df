/// Writes compact JSON to a byte buffer: the same calls give the same bytes. It renders every line of the journal, so
/// it builds no tree and no intermediate strings.
///
/// The writer places the commas. The caller is responsible for the structure: begin and end must match, and a key
/// goes before each value of an object.
package struct JSONWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  package init(reservingCapacity capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes a name that needs quoting. Literals prefer the overload for `StaticString`.
  @_disfavoredOverload
  package mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a name known at compile time that needs no escapes.
  @inline(__always)
  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ value: String) {
    separate()
    appendQuoted(value)
  }

  package mutating func int(_ value: some BinaryInteger) {
    separate()
    guard let value = Int(exactly: value) else {
      bytes.append(contentsOf: String(value).utf8)
      return
    }
    appendDecimal(value)
  }

  package mutating func bool(_ value: Bool) {
    raw(value ? "true".utf8 : "false".utf8)
  }

  package mutating func null() {
    raw("null".utf8)
  }

  /// Writes a string of two lower-case hexadecimal digits for each byte.
  package mutating func hex(_ data: some Sequence<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    let done: Void? = data.withContiguousStorageIfAvailable { appendHex($0) }
    if done == nil { Array(data).withUnsafeBufferPointer { appendHex($0) } }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a string of standard Base64 with padding.
  package mutating func base64(_ data: some Sequence<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Base64.append(data, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a value that is JSON in UTF-8 already, unchanged.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let digits): raw(digits.utf8)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Ends a line of a file of JSON lines; a new text follows.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Begins a new text after a whole line that was written with ``raw(_:)``.
  package mutating func removeSeparator() { needsComma = false }

  /// Removes the bytes, which the caller has stored elsewhere, and stays in the middle of the text.
  package mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

  /// Removes the bytes and begins a new text; the memory is kept.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }
}

extension JSONWriter {
  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Runs of plain characters go in one piece.
      var start = 0
      for index in utf8.indices where Self.needsEscape(utf8[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        appendEscape(of: utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscape(of byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20: bytes.append(contentsOf: "u00".utf8 + [Hex.digit(byte >> 4), Hex.digit(byte & 15)])
    default: bytes.append(byte)
    }
  }

  private mutating func appendHex(_ data: UnsafeBufferPointer<UInt8>) {
    for byte in data {
      bytes.append(Hex.digit(byte >> 4))
      bytes.append(Hex.digit(byte & 15))
    }
  }

  private mutating func appendDecimal(_ value: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    // From the last digit to the first; 64 bits have twenty at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
      var (place, rest) = (room.count, value.magnitude)
      repeat {
        place -= 1
        room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[place...]))
    }
  }
}
