/// Compares two journals as they come, line by line, keeping only what the other side has not reached.
package struct LineComparison {
  /// The first place where they part.
  package struct Parting: Hashable, Sendable {
    /// Nil where that side has no such line.
    package var recorded: [UInt8]?
    package var replayed: [UInt8]?
  }

  private var recorded = Side()
  private var replayed = Side()
  private(set) var parting: Parting?

  /// Bytes of whole lines that wait for the other side.
  private struct Side {
    var bytes: [UInt8] = []
    var start = 0

    var count: Int { bytes.count - start }

    mutating func drop(_ count: Int) {
      start += count
      if start == bytes.count {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
        start = 0
      } else if start > 1 << 20 {
        bytes.removeFirst(start)
        start = 0
      }
    }

    func starts(with other: UnsafeRawBufferPointer) -> Bool {
      guard other.count <= count else { return false }
      return bytes[start..<start + other.count].withUnsafeBytes { $0.isSame(as: other) }
    }

    func line(at offset: Int) -> [UInt8]? {
      let rest = bytes[(start + offset)...]
      return rest.isEmpty ? nil : Array(rest.prefix { $0 != 0x0A })
    }
  }

  /// A line of the capture, without its newline.
  mutating func addRecorded(_ line: UnsafeRawBufferPointer) {
    guard parting == nil else { return }
    recorded.bytes.append(contentsOf: line)
    recorded.bytes.append(0x0A)
  }

  /// Whole lines of the replay. Where the recorded ones are ahead, as they mostly are, these need not be kept.
  mutating func addReplayed(_ lines: UnsafeRawBufferPointer) {
    guard parting == nil else { return }
    if replayed.count == 0, recorded.starts(with: lines) {
      recorded.drop(lines.count)
    } else {
      replayed.bytes.append(contentsOf: lines)
    }
  }

  /// Recorded bytes to which the replay has not come.
  var recordedAhead: Int { recorded.count }

  var replayedAhead: Int { replayed.count }

  /// Compares as far as both sides have come.
  mutating func settle() {
    guard parting == nil else { return }
    let count = min(recorded.count, replayed.count)
    guard count > 0 else { return }
    let isSame = replayed.bytes.withUnsafeBytes { replayed in
      recorded.starts(with: UnsafeRawBufferPointer(rebasing: replayed[self.replayed.start...].prefix(count)))
    }
    if isSame {
      recorded.drop(count)
      replayed.drop(count)
      return
    }
    let common = recorded.bytes.withUnsafeBytes { left in
      replayed.bytes.withUnsafeBytes { right in
        Self.commonPrefix(
          UnsafeRawBufferPointer(rebasing: left[recorded.start...].prefix(count)),
          UnsafeRawBufferPointer(rebasing: right[replayed.start...].prefix(count))
        )
      }
    }
    part(at: common)
  }

  /// Both sides have ended.
  mutating func finish() {
    settle()
    if parting == nil, recorded.count + replayed.count > 0 { part(at: 0) }
  }

  private mutating func part(at offset: Int) {
    let before = recorded.bytes[recorded.start...].prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 - recorded.start } ?? 0
    parting = Parting(recorded: recorded.line(at: start), replayed: replayed.line(at: start))
    (recorded, replayed) = (Side(), Side())
  }

  private static func commonPrefix(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }
}
