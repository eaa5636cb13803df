/// The fates of the pushes of a plan.
package struct RequestReport: Sendable {
  /// The pushes that fared alike: the same status and reason, or the same other outcome.
  package struct Group: Sendable, Equatable {
    /// The outcome of the first of them.
    package var outcome: PushFate
    package var count: Int
    /// The number of the first of them, from 0.
    package var first: Int

    package var isAnswered: Bool { if case .answered = outcome { true } else { false } }
  }

  /// The peer's notice that it ends the connection.
  package struct GoAway: Sendable, Equatable {
    package var lastStream: Int
    /// The name of the error code, such as `NO_ERROR`.
    package var code: String
    /// The debug data as text, such as `{"reason":"Shutdown"}`.
    package var debug: String
  }

  /// The end of a connection that did not carry its pushes to their answers.
  package enum Ending: String, Sendable, Equatable {
    /// The peer closed it without notice.
    case closed
    /// The peer sent no SETTINGS within the wait, so that nothing could be sent.
    case noSettings
    /// Nothing came within the wait.
    case silent
    case goAway
    /// An error ended it.
    case failed
  }

  /// A connection that ended early, and the one that took its place.
  package struct Reconnection: Sendable, Equatable {
    /// Nil where the peer closed without notice.
    package var goAway: GoAway?
    /// The number of pushes that had been written and were not taken, and were sent again.
    package var sentAgain: Int
  }

  /// The number of pushes of the plan.
  package let count: Int
  package internal(set) var sent = 0
  package internal(set) var accepted = 0
  package internal(set) var groups: [Group] = []
  /// The outcomes of the first pushes, by number from 0; nil where none is known yet.
  package internal(set) var results: [PushFate?]
  package internal(set) var goAway: GoAway?
  /// Nil where every push was carried to its answer, or to RST_STREAM; of several connections the first that has one.
  package internal(set) var ending: Ending?
  /// True if the pushes that are left were given up, because over the last connection nothing was answered.
  package internal(set) var gaveUp = false
  /// The error that ended the connection.
  package internal(set) var failure: (any Error)?
  /// The pushes that were not taken, and can be sent again over another connection.
  package internal(set) var untaken = UntakenPushes()
  /// The first times that the connection ended and another one took its place, and the number of all.
  package internal(set) var reconnections: [Reconnection] = []
  package internal(set) var reconnectionCount = 0
  /// True if the connection was closed before the end of the plan.
  var isClosed = false
  /// The number of pushes that were still without an answer when the wait for them ended, on connections that were open.
  package internal(set) var inFlight = 0
  /// The times from the writing of a push to its answer.
  package internal(set) var latency = LatencyHistogram()
  /// The moments of the first push and of the last answer; nil where nothing was begun.
  var course: ClosedRange<ContinuousClock.Instant>?
  /// The time from the first push to the last answer.
  package var duration: Duration { course.map { $0.upperBound - $0.lowerBound } ?? .zero }

  /// The number of pushes whose outcomes are kept one by one.
  package static let resultLimit = 100
  /// The peer chooses its reasons: beyond so many kinds, others count for the last one.
  private static let groupLimit = 100

  init(count: Int) {
    self.count = count
    results = Array(repeating: nil, count: min(count, Self.resultLimit))
  }

  package var isSuccess: Bool { accepted == count }

  /// The number of pushes that have an answer, whichever.
  package var answered: Int { groups.reduce(0) { $0 + ($1.isAnswered ? $1.count : 0) } }

  /// The number of pushes that were written and have none, those in flight at the end among them: there is no telling
  /// whether they were processed.
  package var unanswered: Int {
    groups.reduce(0) { sum, group in
      switch group.outcome {
      case .unanswered, .reset: sum + group.count
      case .answered, .refused, .goneAway, .notSent: sum
      }
    }
  }

  /// True if every push was answered.
  package var isAnswered: Bool { groups.allSatisfy { $0.isAnswered } }

  /// Notes what became of a push, or of `number` pushes from it on.
  mutating func note(_ outcome: PushFate, of index: Int, number: Int = 1) {
    guard number > 0 else { return }
    untaken.note(outcome, of: index, number: number)
    if case .answered(let answer) = outcome, answer.isSuccess { accepted += number }
    for place in index..<min(index + number, max(results.count, index)) { results[place] = outcome }
    join(outcome, count: number, first: index)
  }

  private mutating func join(_ outcome: PushFate, count: Int, first: Int) {
    if let place = groups.firstIndex(where: { Self.isAlike($0.outcome, outcome) })
      ?? (groups.count < Self.groupLimit ? nil : groups.indices.last)
    {
      groups[place].count += count
      groups[place].first = min(groups[place].first, first)
    } else {
      groups.append(Group(outcome: outcome, count: count, first: first))
    }
  }

  /// Adds what came of other pushes of the plan.
  /// - Parameter place: the number in the plan of a push by its number among those.
  mutating func add(_ other: RequestReport, at place: (Int) -> Int) {
    sent += other.sent
    accepted += other.accepted
    for group in other.groups { join(group.outcome, count: group.count, first: place(group.first)) }
    for (index, outcome) in other.results.enumerated() where place(index) < results.count {
      results[place(index)] = outcome
    }
    for reconnection in other.reconnections { note(reconnection) }
    reconnectionCount += other.reconnectionCount - other.reconnections.count
    goAway = goAway ?? other.goAway
    ending = ending ?? other.ending
    gaveUp = gaveUp || other.gaveUp
    failure = failure ?? other.failure
    inFlight += other.inFlight
    addTimes(of: other)
  }

  private mutating func note(_ reconnection: Reconnection) {
    if reconnections.count < Self.reconnectionLimit { reconnections.append(reconnection) }
    reconnectionCount += 1
  }

  private mutating func addTimes(of other: RequestReport) {
    latency.add(other.latency)
    guard let times = other.course else { return }
    let begin = min(course?.lowerBound ?? times.lowerBound, times.lowerBound)
    course = begin...max(course?.upperBound ?? times.upperBound, times.upperBound)
  }

  /// The most reconnections that are kept one by one.
  static let reconnectionLimit = 20

  /// Goes on with what came of the pushes that were not taken.
  mutating func goOn(with later: RequestReport) {
    let places = untaken
    note(Reconnection(goAway: goAway, sentAgain: places.written.count))
    sent += later.sent - min(later.sent, places.written.count)
    groups.removeAll { UntakenPushes.isUntaken($0.outcome) }
    untaken = UntakenPushes()
    accepted += later.accepted
    for group in later.groups {
      // The first of those that fared alike is known; the others need no place to be counted.
      join(group.outcome, count: group.count, first: places.place(of: group.first))
    }
    for (index, outcome) in later.results.enumerated() {
      let place = places.place(of: index)
      if place < results.count { results[place] = outcome }
    }
    untaken = later.untaken.placed(by: places)
    (goAway, failure, isClosed, inFlight) = (later.goAway, later.failure, later.isClosed, later.inFlight)
    ending = later.ending
    addTimes(of: later)
  }

  private static func isAlike(_ one: PushFate, _ other: PushFate) -> Bool {
    if case .answered(let one) = one, case .answered(let other) = other {
      return one.status == other.status && one.reason == other.reason
    }
    return one == other
  }

  /// True if the connection ended, by GOAWAY or without notice, and left something that can be sent again.
  var endedEarly: Bool { untaken.count > 0 && (goAway != nil || isClosed) }

  var hasAnswers: Bool { groups.contains { $0.isAnswered } }
}
