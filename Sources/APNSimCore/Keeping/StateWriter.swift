/// Writes state down, piece after piece, into memory of its own.
///
/// Numbers are as the processor has them; a snapshot's head says in which order their bytes are.
package struct StateWriter: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var room: Int
  /// The bytes that have been written.
  package private(set) var count = 0

  package init(room: Int = 4096) {
    self.room = max(64, room)
    base = .allocate(byteCount: self.room, alignment: 16)
  }

  /// A writer with memory that has been touched: writing to it makes no pages.
  package init(warm byteCount: Int) {
    self.init(room: byteCount)
    for place in stride(from: 0, to: room, by: 4096) {
      base.storeBytes(of: 0, toByteOffset: place, as: UInt8.self)
    }
  }

  deinit { base.deallocate() }

  /// Calls `body` with what has been written, which is good during the call only.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// A copy of what has been written.
  package var array: [UInt8] { withBytes { Array($0) } }

  /// Begins anew in the same memory.
  package mutating func removeAll() { count = 0 }

  /// Makes room for so many more bytes.
  @inline(__always)
  package mutating func reserve(_ more: Int) {
    if room - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let wider = max(room * 2, count + more)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    (base, room) = (fresh, wider)
  }

  /// Writes a value as it lies in memory. For numbers, and for records without room between their members.
  @inline(__always)
  mutating func write<Value: BitwiseCopyable>(raw value: Value) {
    reserve(MemoryLayout<Value>.size)
    (base + count).storeBytes(of: value, as: Value.self)
    count += MemoryLayout<Value>.size
  }

  /// Writes how many of something follow.
  mutating func write(count: Int) { write(raw: UInt64(count)) }

  /// Writes a number of things, with or without a mark.
  mutating func write(count: Int, isMarked: Bool) { write(raw: UInt64(count) | (isMarked ? Self.mark : 0)) }

  /// The highest bit of a number, which no number of things has.
  static let mark = UInt64(1) << 63

  /// Writes bytes after their number.
  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    write(count: bytes.count)
    append(bytes)
  }

  /// Writes bytes after their number.
  mutating func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

  /// Writes bytes whose number the reader knows.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(bytes.count)
    (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Writes records as they lie in memory, after their number and their size.
  mutating func write<Record: BitwiseCopyable>(rows: UnsafeBufferPointer<Record>) {
    write(count: rows.count)
    write(raw: UInt32(MemoryLayout<Record>.stride))
    append(UnsafeRawBufferPointer(rows))
  }

  mutating func write(_ value: borrowing some Kept & ~Copyable) { value.write(to: &self) }

  /// Writes a part under its name, by which damage in it is told.
  mutating func part(_ name: StaticString, _ body: (inout StateWriter) -> Void) {
    write(raw: Self.mark(name))
    let place = count
    write(raw: 0 as UInt64)
    body(&self)
    (base + place).storeBytes(of: UInt64(count - place - 8), as: UInt64.self)
  }

  /// Four letters by which a part is found again.
  static func mark(_ name: StaticString) -> UInt32 {
    var mark: UInt32 = 0x811C_9DC5
    for index in 0..<name.utf8CodeUnitCount { mark = (mark ^ UInt32(name.utf8Start[index])) &* 0x0100_0193 }
    return mark
  }
}
