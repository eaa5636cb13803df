/// A wait for notifications: the query, how many have come, and whom to tell.
///
/// The simulator holds each notification against it on receipt; nothing polls. All of it belongs to the simulator's lock
/// but for `report`, which is called outside of it.
package final class Wait: @unchecked Sendable {
  /// The state of a wait; the whole of it each time, so that a late report can be dropped.
  package struct Progress: Hashable, Sendable {
    /// Notifications that match, so far.
    package var matched = 0
    /// Notifications that came before the wait and cannot be looked at: they have made room for later ones.
    package var missed: UInt64 = 0
    /// True if everything that came before the wait has been looked at too.
    package var isComplete = false
    /// The number of changes so far.
    package var version = 0
  }

  /// When a wait is told of its progress.
  package enum Interest: Hashable, Sendable {
    /// At each notification that matches.
    case each
    /// Once so many have matched.
    case reaching(Int)
  }

  let query: CompiledQuery
  /// Only notifications from this number on count.
  private(set) var first: UInt64
  private(set) var progress = Progress()
  /// The numbers of the first ones that matched.
  private(set) var numbers: [UInt64] = []
  /// Numbers of notifications that count already and may change into an outcome that is asked for. When there are twice
  /// as many as before, those that have left the history are let go of.
  private(set) var counted: Set<UInt64> = []
  private var room = 1024
  let isAboutOutcomes: Bool
  private let interest: Interest
  private let report: @Sendable (Progress) -> Void

  /// The most notifications that an answer shows.
  package static let mostNumbers = 100

  init(
    _ query: Query,
    from first: UInt64,
    interest: Interest,
    report: @escaping @Sendable (Progress) -> Void
  ) {
    self.query = CompiledQuery(query)
    self.first = first
    self.interest = interest
    self.report = report
    isAboutOutcomes = query.conditions.contains { $0.path == "outcome" }
  }

  /// Counts a notification that matches; true when somebody is to be told.
  /// - Parameter oldest: the number of the oldest one that the history has. None before it changes any more.
  func count(_ number: UInt64, oldest: UInt64) -> Bool {
    guard number >= first, !isAboutOutcomes || counted.insert(number).inserted else { return false }
    if counted.count > room {
      counted = counted.filter { $0 >= oldest }
      room = max(1024, 2 * counted.count)
    }
    progress.matched += 1
    progress.version += 1
    if numbers.count < Self.mostNumbers { numbers.append(number) }
    if case .reaching(let count) = interest { return progress.matched == count }
    return true
  }

  func miss(_ count: UInt64) {
    guard count > 0 else { return }
    progress.missed += count
    progress.version += 1
  }

  func complete() {
    progress.isComplete = true
    progress.version += 1
  }

  /// Counts from zero in a new beginning.
  func beginAnew(from number: UInt64) {
    first = number
    numbers = []
    (counted, room) = ([], 1024)
    (progress.matched, progress.missed) = (0, 0)
    progress.version += 1
  }
}

extension Wait {
  static func tell(_ reports: [(Wait, Progress)]) {
    for (wait, progress) in reports { wait.report(progress) }
  }
}
