import Testing

@testable import APNSimCore

/// A record with room after its last member.
private struct Record: BitwiseCopyable, Equatable {
  var number: UInt64
  var mark: UInt8
}

@Suite struct `Storage that is written down and read back` {
  // MARK: Slabs

  /// Three blocks, the last of them in part, with every seventh place free.
  private static func slab(_ count: UInt64 = 2500) -> Slab<Record> {
    var slab = Slab<Record>()
    for number in 0..<count {
      _ = slab.insert(Record(number: number, mark: UInt8(truncatingIfNeeded: number)))
    }
    for place in stride(from: 3, to: UInt32(count), by: 7) { slab.remove(place) }
    return slab
  }

  @Test func `a slab gives out the same places in the same order`() throws {
    var slab = Self.slab()
    let written = StateBytes.of { slab.write(to: &$0) }
    var copy = try StateBytes.read(written) { try Slab<Record>(reading: &$0) }
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    #expect(copy.count == 2500)
    for place in 0..<slab.count {
      let (one, other) = (slab[place], copy[place])
      #expect(one == other)
    }
    for number in 0..<UInt64(1500) {
      let record = Record(number: number, mark: 1)
      let (one, other) = (slab.insert(record), copy.insert(record))
      #expect(one == other)
    }
  }

  @Test(arguments: [0, 1, 1023, 1024, 1025, 2048] as [UInt64])
  func `a slab of any size goes on at its next place`(count: UInt64) throws {
    var slab = Slab<UInt64>()
    for number in 0..<count { _ = slab.insert(number) }
    let written = StateBytes.of { slab.write(to: &$0) }
    var copy = try StateBytes.read(written) { try Slab<UInt64>(reading: &$0) }
    #expect(copy.insert(7) == UInt32(count))
    for place in 0..<UInt32(count) { #expect(copy[place] == UInt64(place)) }
  }

  @Test func `a place is not free twice, nor beyond the last one`() {
    for free in [[1, 1], [2], [UInt32.max]] as [[UInt32]] {
      let written = StateBytes.of { state in
        [5, 6].withUnsafeBufferPointer { (rows: UnsafeBufferPointer<UInt64>) in state.write(rows: rows) }
        free.withUnsafeBufferPointer { state.write(rows: $0) }
      }
      #expect(throws: StateError.self) {
        _ = try StateBytes.read(written) { try Slab<UInt64>(reading: &$0) }
      }
    }
  }

  @Test func `records of another size are refused`() {
    let written = StateBytes.of { Self.slab(3).write(to: &$0) }
    #expect(throws: StateError.self) {
      _ = try StateBytes.read(written) { try Slab<UInt32>(reading: &$0) }
    }
  }

  // MARK: Rings

  @Test(
    arguments: [
      (100, 0, 0), (100, 40, 7), (100, 64, 0), (100, 65, 65), (100, 100, 0), (100, 250, 30),
      (0, 9, 0), (1, 0, 0),
    ]
  )
  func `a ring goes on with its ordinals and drops the same`(capacity: Int, count: Int, gone: Int) throws {
    var ring = Ring<Record>(capacity: capacity, from: 12)
    for number in 0..<count { ring.append(Record(number: UInt64(number), mark: 2)) }
    for _ in 0..<gone { ring.removeFirst() }
    let written = StateBytes.of { ring.write(to: &$0) }
    var copy = try StateBytes.read(written) { state in
      try Ring<Record>(reading: &state, capacity: capacity)
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    for number in 0..<300 {
      #expect(copy.first == ring.first)
      #expect(copy.end == ring.end)
      for ordinal in ring.first..<ring.end {
        let (one, other) = (ring[ordinal], copy[ordinal])
        #expect(one == other)
      }
      if ring.isFull {
        let (one, other) = (ring.oldest, copy.oldest)
        #expect(one == other)
      }
      let record = Record(number: UInt64(number), mark: 3)
      let (one, other) = (ring.append(record), copy.append(record))
      #expect(one == other)
    }
  }

  @Test func `a ring takes no more records than its capacity, and no ordinals that end`() {
    var ring = Ring<UInt64>(capacity: 5)
    for number in 0..<UInt64(5) { ring.append(number) }
    let written = StateBytes.of { ring.write(to: &$0) }
    #expect(throws: StateError.self) {
      _ = try StateBytes.read(written) { try Ring<UInt64>(reading: &$0, capacity: 4) }
    }
    for first in [0, UInt64.max, 1 << 63] {
      let damaged = StateBytes.of { $0.write(raw: first) } + written.dropFirst(8)
      #expect(throws: StateError.self) {
        _ = try StateBytes.read(damaged) { try Ring<UInt64>(reading: &$0, capacity: 5) }
      }
    }
  }

  // MARK: Bytes

  @Test func `bytes keep their positions, and those that follow get the same`() throws {
    var arena = ByteArena()
    var random = SeededGenerator(seed: 4)
    var positions: [(position: UInt64, count: Int)] = []
    for number in 0..<400 {
      let byte = UInt8(truncatingIfNeeded: number)
      let run = [UInt8](repeating: byte, count: .random(in: 0...6000, using: &random))
      positions.append((run.withUnsafeBytes { arena.append($0) }, run.count))
    }
    arena.release(before: positions[150].position)
    let written = StateBytes.of { arena.write(to: &$0) }
    var copy = try StateBytes.read(written) { try ByteArena(reading: &$0) }
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    for (position, count) in positions[150...] {
      #expect(Array(copy.bytes(at: position, count: count)) == Array(arena.bytes(at: position, count: count)))
    }
    for number in 0..<200 {
      let run = [UInt8](repeating: UInt8(number), count: .random(in: 0...6000, using: &random))
      let (one, other) = run.withUnsafeBytes { (arena.append($0), copy.append($0)) }
      #expect(one == other)
      if number == 100 {
        arena.release(before: one)
        copy.release(before: one)
      }
      #expect(copy.residentBytes == arena.residentBytes)
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == StateBytes.of { arena.write(to: &$0) })
  }

  @Test(arguments: [false, true], [false, true])
  func `an arena that ends with its block goes on in the next`(isBegun: Bool, isReleased: Bool) throws {
    var arena = ByteArena()
    let block = [UInt8](repeating: 9, count: ByteArena.blockSize)
    _ = block.withUnsafeBytes { arena.append($0) }
    // Nothing at all takes the next block nevertheless.
    if isBegun { _ = arena.append(UnsafeRawBufferPointer(start: nil, count: 0)) }
    if isReleased { arena.release(before: arena.end) }
    let written = StateBytes.of { arena.write(to: &$0) }
    var copy = try StateBytes.read(written) { try ByteArena(reading: &$0) }
    #expect(copy.residentBytes == arena.residentBytes)
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    let (one, other) = [1, 2, 3].withUnsafeBytes { (arena.append($0), copy.append($0)) }
    #expect(one == other)
    #expect(copy.residentBytes == arena.residentBytes)
  }

  @Test func `what stays free at the end of a block is the same in every run`() {
    /// Blocks that held other bytes before.
    func arena(_ byte: UInt8) -> ByteArena {
      var arena = ByteArena()
      let old = [UInt8](repeating: byte, count: ByteArena.blockSize)
      for _ in 0..<2 { _ = old.withUnsafeBytes { arena.append($0) } }
      arena.release(before: arena.end)
      let run = [UInt8](repeating: 5, count: 100_000)
      for _ in 0..<3 { _ = run.withUnsafeBytes { arena.append($0) } }
      return arena
    }
    let (one, other) = (StateBytes.of { arena(1).write(to: &$0) }, StateBytes.of { arena(2).write(to: &$0) })
    #expect(one == other)
  }

  @Test func `a count that is too high ends with the block`() {
    var arena = ByteArena()
    let position = [1, 2, 3, 4].withUnsafeBytes { arena.append($0) }
    let found = arena.bytes(at: position, count: .max).count
    #expect(found == ByteArena.blockSize)
  }

  // MARK: Others

  @Test func `randomness goes on where it was`() throws {
    var random = SeededGenerator(seed: 99)
    for _ in 0..<5 { _ = random.next() }
    let written = StateBytes.of { random.write(to: &$0) }
    var copy = try StateBytes.read(written) { try SeededGenerator(reading: &$0) }
    #expect((0..<5).map { _ in copy.next() } == (0..<5).map { _ in random.next() })
  }

  @Test func `a ring whose bytes are cut or changed throws or is read, and never traps`() throws {
    var ring = Ring<UInt64>(capacity: 8)
    for number in 0..<UInt64(11) { ring.append(number) }
    let written = StateBytes.of { ring.write(to: &$0) }
    func readAll(_ bytes: [UInt8]) throws {
      var ring = try StateBytes.read(bytes) { try Ring<UInt64>(reading: &$0, capacity: 8) }
      for number in 0..<UInt64(20) { ring.append(number) }
    }
    StateBytes.expectNoPrefix(of: written) { try Ring<UInt64>(reading: &$0, capacity: 8) }
    for place in written.indices {
      for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = written
        changed[place] = byte
        do { try readAll(changed) } catch is StateError {}
      }
    }
  }
}
