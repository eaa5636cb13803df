/// Rows in queues, by keys that are hashes or numbers: each queue in the order in which its rows were added. A row is a place
/// in an array of whoever has the queues, and is in one of them at most.
///
/// An open-addressing table has the first row of each queue, and a row has those before and after it; nothing is allocated
/// for a queue, and all but growing takes constant time.
struct HashQueues {
  private struct Link: BitwiseCopyable {
    var key: UInt64
    /// The row after it; after the last one comes the first.
    var next: UInt32
    /// The row before it; before the first one comes the last.
    var previous: UInt32
  }

  private static let none = UInt32.max
  /// The links of each row; of no meaning for one that is in no queue.
  private var links: [Link] = []
  /// The first row of each queue, near the place that its key says.
  private var heads: [UInt32] = []
  private var count = 0
  /// Keys may be numbers in a row: the upper bits of a product spread them.
  private var shift: UInt64 = 64

  /// The first row of a queue.
  @inline(__always)
  func first(_ key: UInt64) -> UInt32? {
    guard !heads.isEmpty else { return nil }
    let head = heads[slot(of: key)]
    return head == Self.none ? nil : head
  }

  /// The row after another one in its queue.
  func next(after row: UInt32) -> UInt32? {
    let next = links[Int(row)].next
    return next == first(links[Int(row)].key) ? nil : next
  }

  /// Adds a row, which is in no queue, at the end of one.
  mutating func append(_ row: UInt32, to key: UInt64) {
    makeRoom(for: row)
    let slot = slot(of: key)
    guard heads[slot] != Self.none else {
      heads[slot] = row
      links[Int(row)] = Link(key: key, next: row, previous: row)
      count += 1
      return
    }
    let first = heads[slot]
    let last = links[Int(first)].previous
    links[Int(row)] = Link(key: key, next: first, previous: last)
    links[Int(last)].next = row
    links[Int(first)].previous = row
  }

  /// Takes a row out of its queue.
  mutating func remove(_ row: UInt32) {
    let link = links[Int(row)]
    let slot = slot(of: link.key)
    guard link.next != row else { return empty(slot) }
    links[Int(link.previous)].next = link.next
    links[Int(link.next)].previous = link.previous
    if heads[slot] == row { heads[slot] = link.next }
  }

  // MARK: The table

  /// The slot of a queue, or the one that it would have.
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    var slot = home(of: key)
    while heads[slot] != Self.none, links[Int(heads[slot])].key != key { slot = after(slot) }
    return slot
  }

  @inline(__always)
  private func home(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  @inline(__always)
  private func after(_ slot: Int) -> Int { (slot &+ 1) & (heads.count &- 1) }

  /// Empties a slot, and shifts later entries back: there are no tombstones.
  private mutating func empty(_ slot: Int) {
    count -= 1
    var (hole, slot) = (slot, after(slot))
    while heads[slot] != Self.none {
      let home = home(of: links[Int(heads[slot])].key)
      if (slot - home) & (heads.count - 1) >= (slot - hole) & (heads.count - 1) {
        heads[hole] = heads[slot]
        hole = slot
      }
      slot = after(slot)
    }
    heads[hole] = Self.none
  }

  private mutating func makeRoom(for row: UInt32) {
    while links.count <= row { links.append(Link(key: 0, next: row, previous: row)) }
    guard (count + 1) * 3 > heads.count * 2 else { return }
    let old = heads
    heads = [UInt32](repeating: Self.none, count: max(64, 2 * old.count))
    shift = 64 - UInt64(heads.count.trailingZeroBitCount)
    for head in old where head != Self.none { heads[slot(of: links[Int(head)].key)] = head }
  }
}
