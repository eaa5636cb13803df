/// What became of the pushes of a plan.
package struct RequestReport: Sendable {
  /// The pushes that fared alike: the same status and reason, or the same other outcome.
  package struct Group: Sendable, Equatable {
    /// The outcome of the first of them.
    package var outcome: RequestOutcome
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

  /// The number of pushes of the plan.
  package let count: Int
  package internal(set) var sent = 0
  package internal(set) var accepted = 0
  package internal(set) var groups: [Group] = []
  /// The outcomes of the first pushes, by number from 0; nil where none is known yet.
  package internal(set) var results: [RequestOutcome?]
  package internal(set) var goAway: GoAway?
  /// The error that ended the connection.
  package internal(set) var failure: (any Error)?
  /// The time from the first push to the last answer.
  package internal(set) var duration = Duration.zero

  /// The number of pushes whose outcomes are kept one by one.
  package static let resultLimit = 100
  /// The peer chooses its reasons: beyond so many kinds, others count for the last one.
  private static let groupLimit = 100

  init(count: Int) {
    self.count = count
    results = Array(repeating: nil, count: min(count, Self.resultLimit))
  }

  package var isSuccess: Bool { accepted == count }

  /// True if every push was answered.
  package var isAnswered: Bool { groups.allSatisfy { $0.isAnswered } }

  /// Notes what became of a push, or of `number` pushes from it on.
  mutating func note(_ outcome: RequestOutcome, of index: Int, number: Int = 1) {
    guard number > 0 else { return }
    if case .answered(let answer) = outcome, answer.isSuccess { accepted += number }
    for place in index..<min(index + number, max(results.count, index)) { results[place] = outcome }
    if let place = groups.firstIndex(where: { Self.isAlike($0.outcome, outcome) })
      ?? (groups.count < Self.groupLimit ? nil : groups.indices.last)
    {
      groups[place].count += number
      groups[place].first = min(groups[place].first, index)
    } else {
      groups.append(Group(outcome: outcome, count: number, first: index))
    }
  }

  private static func isAlike(_ one: RequestOutcome, _ other: RequestOutcome) -> Bool {
    if case .answered(let one) = one, case .answered(let other) = other {
      return one.status == other.status && one.reason == other.reason
    }
    return one == other
  }
}
