/// Reads what a ``StateWriter`` wrote. Nothing in the bytes is believed before it is there.
package struct StateReader {
  private let room: UnsafeRawBufferPointer
  /// The byte that is read next.
  package private(set) var offset = 0
  private var end: Int
  /// The version of the state that is read: what a later one has beside it is not there.
  var version = StateReader.presentVersion
  /// The version of what is written. It is raised with every change of it, the layout of records in memory among that.
  static let presentVersion: UInt32 = 2

  package init(_ bytes: UnsafeRawBufferPointer) { (room, end) = (bytes, bytes.count) }

  package var isAtEnd: Bool { offset == end }

  /// The bytes that have not been read.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[offset..<end]) }

  func error(_ reason: String) -> StateError { StateError(reason, at: offset) }

  /// Takes so many bytes.
  @inline(__always)
  mutating func take(_ count: Int) throws(StateError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= end - offset else {
      throw error("\(count) more bytes were expected, and \(end - offset) are left")
    }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: room[offset..<offset + count])
  }

  /// Takes a number, or a record whose every pattern of bits is a value of it.
  @inline(__always)
  mutating func raw<Value: BitwiseCopyable>(_ type: Value.Type) throws(StateError) -> Value {
    try take(MemoryLayout<Value>.size).loadUnaligned(as: Value.self)
  }

  /// Takes how many of something follow; each of them takes at least a byte.
  mutating func count() throws(StateError) -> Int {
    let count = try raw(UInt64.self)
    return try checked(count)
  }

  /// Takes a number of things whose highest bit is a mark.
  mutating func markedCount() throws(StateError) -> (count: Int, isMarked: Bool) {
    let word = try raw(UInt64.self)
    return (try checked(word & ~StateWriter.mark), word & StateWriter.mark != 0)
  }

  private func checked(_ count: UInt64) throws(StateError) -> Int {
    guard count <= UInt64(end - offset) else {
      throw error("there cannot be \(count) of something in the \(end - offset) bytes that are left")
    }
    return Int(count)
  }

  /// Takes bytes that stand after their number.
  mutating func bytes() throws(StateError) -> UnsafeRawBufferPointer { try take(try count()) }

  /// Takes records as they lie in memory, and calls `body` with them, unaligned.
  mutating func rows<Record: BitwiseCopyable>(_ type: Record.Type) throws(StateError) -> StateRows<Record> {
    let count = try count()
    let stride = try raw(UInt32.self)
    guard stride == MemoryLayout<Record>.stride else {
      throw error("records of \(MemoryLayout<Record>.stride) bytes were expected, and they have \(stride)")
    }
    let (byteCount, isTooMany) = count.multipliedReportingOverflow(by: Int(stride))
    guard !isTooMany else { throw error("there cannot be \(count) records of \(stride) bytes") }
    return StateRows(bytes: try take(byteCount), count: count)
  }

  mutating func read<Value: Kept>(_ type: Value.Type = Value.self) throws(StateError) -> Value {
    try Value(reading: &self)
  }

  /// True if the part of a name is next. A part that says nothing is not written.
  func isAt(_ name: StaticString) -> Bool {
    var ahead = self
    return (try? ahead.raw(UInt32.self)) == StateWriter.mark(name)
  }

  /// Reads a part that was written under a name, and all of it.
  mutating func part<Part: ~Copyable>(
    _ name: StaticString,
    _ body: (inout StateReader) throws(StateError) -> Part
  ) throws(StateError) -> Part {
    guard try raw(UInt32.self) == StateWriter.mark(name) else {
      throw error("the part `\(name)` was expected")
    }
    let count = try count()
    let outer = end
    end = offset + count
    let part: Part
    do {
      part = try body(&self)
    } catch {
      throw StateError("in the part `\(name)`: \(error.reason)", at: error.offset)
    }
    guard isAtEnd else {
      throw error("the part `\(name)` was expected to end, and \(end - offset) bytes follow")
    }
    end = outer
    return part
  }
}

/// Records as they were written, to be copied to where they belong.
struct StateRows<Record: BitwiseCopyable> {
  fileprivate let bytes: UnsafeRawBufferPointer
  let count: Int

  fileprivate init(bytes: UnsafeRawBufferPointer, count: Int) { (self.bytes, self.count) = (bytes, count) }

  /// Copies a range of them to memory that has room for it.
  func copy(_ range: Range<Int>, to place: UnsafeMutablePointer<Record>) {
    let stride = MemoryLayout<Record>.stride
    let part = UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound * stride..<range.upperBound * stride])
    if let start = part.baseAddress {
      UnsafeMutableRawPointer(place).copyMemory(from: start, byteCount: part.count)
    }
  }
}
