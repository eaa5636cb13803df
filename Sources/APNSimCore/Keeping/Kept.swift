/// A part of the state that writes itself down, and is read back from what it wrote.
///
/// A value that is read back goes on exactly as the one that was written: places, free places and orders among them.
/// Tables that can be made again from the rest are not written.
protocol Kept: ~Copyable, SendableMetatype {
  borrowing func write(to state: inout StateWriter)

  /// - Throws: why the bytes are not what ``write(to:)`` writes.
  init(reading state: inout StateReader) throws(StateError)
}

extension Kept where Self: FixedWidthInteger & BitwiseCopyable {
  func write(to state: inout StateWriter) { state.write(raw: self) }

  init(reading state: inout StateReader) throws(StateError) { self = try state.raw(Self.self) }
}

extension UInt8: Kept {}
extension UInt16: Kept {}
extension UInt32: Kept {}
extension UInt64: Kept {}
extension Int: Kept {}
extension Int64: Kept {}

extension Bool: Kept {
  func write(to state: inout StateWriter) { state.write(raw: self ? 1 as UInt8 : 0) }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = false
    case 1: self = true
    case let byte: throw state.error("a truth value, 0 or 1, was expected, and \(byte) found")
    }
  }
}

extension String: Kept {
  func write(to state: inout StateWriter) {
    var text = self
    text.withUTF8 { state.write(UnsafeRawBufferPointer($0)) }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let bytes = try state.bytes()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw state.error("a text in UTF-8 was expected")
    }
    self = text
  }
}

extension Optional: Kept where Wrapped: Kept {
  func write(to state: inout StateWriter) {
    (self != nil).write(to: &state)
    self?.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    self = try Bool(reading: &state) ? try Wrapped(reading: &state) : nil
  }
}

extension Array: Kept where Element: Kept {
  func write(to state: inout StateWriter) {
    if Element.self == UInt8.self { return withUnsafeBytes { state.write($0) } }
    state.write(count: count)
    for element in self { element.write(to: &state) }
  }

  init(reading state: inout StateReader) throws(StateError) {
    if Element.self == UInt8.self {
      self.init(try state.bytes().assumingMemoryBound(to: Element.self))
      return
    }
    let count = try state.count()
    self = []
    reserveCapacity(Swift.min(count, 65_536))
    for _ in 0..<count { append(try Element(reading: &state)) }
  }
}

/// In the order of the keys: the same state is written as the same bytes.
extension Dictionary: Kept where Key: Kept & Comparable, Value: Kept {
  func write(to state: inout StateWriter) {
    state.write(count: count)
    forEachInOrder { key, value in
      key.write(to: &state)
      value.write(to: &state)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let count = try state.count()
    self.init(minimumCapacity: Swift.min(count, 65_536))
    var last: Key?
    for _ in 0..<count {
      let key = try Key(reading: &state)
      if let last, last >= key { throw state.error("a key after \(last) was expected, and \(key) found") }
      last = key
      self[key] = try Value(reading: &state)
    }
  }
}

extension Set: Kept where Element: Kept & Comparable {
  func write(to state: inout StateWriter) { sorted().write(to: &state) }

  init(reading state: inout StateReader) throws(StateError) {
    self = Set(try [Element](reading: &state))
  }
}

/// An enum with raw values is written as its raw value.
extension Kept where Self: RawRepresentable, RawValue: Kept {
  func write(to state: inout StateWriter) { rawValue.write(to: &state) }

  init(reading state: inout StateReader) throws(StateError) {
    let raw = try RawValue(reading: &state)
    guard let value = Self(rawValue: raw) else {
      throw state.error("a value of \(Self.self) was expected, and \(raw) found")
    }
    self = value
  }
}
