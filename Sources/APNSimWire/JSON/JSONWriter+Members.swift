/// Members of an object, key and value in one.
extension JSONWriter {
  package mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// `null` where there is none.
  package mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    int(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  package mutating func member(_ name: StaticString, hex value: some Sequence<UInt8>) {
    key(name)
    hex(value)
  }

  package mutating func member(_ name: StaticString, base64 value: some Sequence<UInt8>) {
    key(name)
    base64(value)
  }
}
