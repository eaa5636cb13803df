import Synchronization

/// The memory that the peers of all connections of requests make a process hold: answers that are not read, and requests
/// that are begun and not finished. A connection's share counts once it is large.
final class HeldMemory: Sendable {
  /// A smaller share is not counted: that of a provider which reads its answers and ends its requests.
  static let small = 16 * 1024

  private static let taken = Atomic<Int>(0)
  private static let refused = Atomic<Int>(0)
  private let most: Int

  /// - Parameter most: in bytes.
  init(_ most: Int) { self.most = most }

  /// The number of bytes in all.
  static var count: Int { taken.load(ordering: .relaxed) }

  /// The number of connections that have ended because there was no room for more.
  static var refusals: Int { refused.load(ordering: .relaxed) }

  /// - Returns: false where a share grows and there is no room.
  fileprivate func change(from old: Int, to new: Int) -> Bool {
    let count = Self.taken.add(new - old, ordering: .relaxed).newValue
    guard new > old, count > most else { return true }
    Self.taken.subtract(new - old, ordering: .relaxed)
    Self.refused.add(1, ordering: .relaxed)
    return false
  }

  /// The share of one connection.
  struct Share: ~Copyable {
    private let memory: HeldMemory
    private var count = 0

    init(of memory: HeldMemory) { self.memory = memory }

    deinit { _ = memory.change(from: count, to: 0) }

    /// - Returns: false where there is no room for so many bytes; the share is then what it was.
    @inline(__always)
    mutating func set(_ bytes: Int) -> Bool {
      if bytes <= HeldMemory.small, count == 0 { return true }
      let bytes = bytes > HeldMemory.small ? bytes : 0
      guard memory.change(from: count, to: bytes) else { return false }
      count = bytes
      return true
    }
  }
}
