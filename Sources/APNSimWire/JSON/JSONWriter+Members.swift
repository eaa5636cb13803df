/// Members of an object, each key with its value.
extension JSONWriter {
  package mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// Writes a member, with `null` for nil.
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

  package mutating func member(_ name: StaticString, _ texts: some Sequence<String>) {
    key(name)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  /// Writes a member that is an object.
  /// - Parameter write: writes its members.
  package mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginObject()
    write(&self)
    endObject()
  }

  /// Writes a member that is an array with one object for each element.
  package mutating func list<Element>(
    _ name: StaticString,
    _ elements: some Sequence<Element>,
    _ writeMembers: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements {
      beginObject()
      writeMembers(element, &self)
      endObject()
    }
    endArray()
  }
}
