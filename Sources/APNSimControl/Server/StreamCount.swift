internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// How many streams are open, and how many there may be.
final class StreamCount: Sendable {
  private let count = Atomic<Int>(0)
  private let most: Int

  init(most: Int) { self.most = most }

  var open: Int { count.load(ordering: .relaxed) }

  /// Takes a place for as long as what is returned lives: an answer may be thrown away before its body begins.
  /// - Throws: `Problem` 503 when there are too many.
  func enter() throws(Problem) -> Place {
    let place = Place(of: self)
    guard open <= most else {
      throw Problem(
        .serviceUnavailable,
        title: "Too many streams",
        detail: "\(most) streams are open already, the most there may be at once"
      )
    }
    return place
  }

  /// One open stream.
  final class Place: Sendable {
    private let streams: StreamCount

    fileprivate init(of streams: StreamCount) {
      self.streams = streams
      streams.count.add(1, ordering: .relaxed)
    }

    deinit { streams.count.subtract(1, ordering: .relaxed) }
  }
}
