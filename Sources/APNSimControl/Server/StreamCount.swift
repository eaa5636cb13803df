internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// How many streams are open, and how many there may be.
final class StreamCount: Sendable {
  private let count = Atomic<Int>(0)
  private let most: Int

  init(most: Int) { self.most = most }

  var open: Int { count.load(ordering: .relaxed) }

  /// - Throws: `Problem` 503 when there are too many.
  func enter() throws(Problem) {
    guard count.add(1, ordering: .relaxed).newValue <= most else {
      leave()
      throw Problem(
        .serviceUnavailable,
        title: "Too many streams",
        detail: "\(most) streams are open already, the most there may be at once"
      )
    }
  }

  func leave() { count.subtract(1, ordering: .relaxed) }
}
