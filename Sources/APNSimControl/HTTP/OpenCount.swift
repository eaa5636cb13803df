internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// How many answers of one kind are open, and how many there may be: event streams, waits.
final class OpenCount: Sendable {
  private let count = Atomic<Int>(0)
  private let most: Int
  private let name: String

  init(of name: String, most: Int) {
    self.name = name
    self.most = most
  }

  var open: Int { count.load(ordering: .relaxed) }

  /// Takes a place for as long as what is returned lives: an answer may be thrown away before its body begins.
  /// - Throws: `Problem` 503 when there are too many.
  func enter() throws(Problem) -> Place {
    let place = Place(of: self)
    guard open <= most else {
      throw Problem(
        .serviceUnavailable,
        title: "Too many \(name)",
        detail: "\(most) \(name) are already open, the maximum"
      )
    }
    return place
  }

  /// One that is open.
  final class Place: Sendable {
    private let all: OpenCount

    fileprivate init(of all: OpenCount) {
      self.all = all
      all.count.add(1, ordering: .relaxed)
    }

    deinit { all.count.subtract(1, ordering: .relaxed) }
  }
}
