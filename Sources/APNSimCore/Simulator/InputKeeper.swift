/// The way of inputs into a log.
///
/// An entry is the wall time that the clock has got to (milliseconds, 8 bytes), the kind (1 byte) and what the input
/// writes, numbers as the processor has them.
struct InputKeeper: ~Copyable {
  let log: any InputLog
  /// True while nothing is taken in because nothing can be kept.
  private(set) var isSuspended = false
  /// The memory in which entries are written.
  private var entry = StateWriter()

  init(_ log: any InputLog) { self.log = log }

  mutating func suspend() { isSuspended = true }

  mutating func resume() { isSuspended = false }

  /// Keeps an input.
  /// - Returns: false where it found no room; nothing is taken in from there on.
  mutating func keep<Entered: Input>(_ input: borrowing Entered, at wall: Timestamp) -> Bool {
    guard !isSuspended else { return false }
    entry.removeAll()
    entry.write(raw: wall.rawValue)
    entry.write(raw: Entered.kind.rawValue)
    input.write(to: &entry)
    let bulk = input.bulk
    guard log.makeRoom(for: entry.count + bulk.count) else {
      isSuspended = true
      return false
    }
    entry.withBytes { log.append($0, bulk) }
    return true
  }

  /// Reads the beginning of an entry.
  static func readHead(of entry: inout StateReader) throws(StateError) -> (kind: InputKind, wall: Timestamp) {
    let wall = Timestamp(rawValue: try entry.raw(Int64.self))
    let raw = try entry.raw(UInt8.self)
    guard let kind = InputKind(rawValue: raw) else {
      throw entry.error("an input of a known kind was expected, and kind \(raw) found")
    }
    return (kind, wall)
  }
}
