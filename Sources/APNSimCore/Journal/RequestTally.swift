package import APNSimWire

/// The counts of requests over HTTP/2 and of their answers, since the last reset.
package struct RequestTally: Sendable {
  /// Answers of one kind.
  package struct Answers: Sendable, Equatable {
    package var status: UInt16
    package var reason: Reason?
    package var count: UInt64
  }

  package private(set) var received: UInt64 = 0
  /// Requests that never get an answer.
  package private(set) var unanswered: UInt64 = 0
  /// The delays, by the simulated clock, of answers that a script has come later.
  package private(set) var delays = DurationCounts()
  /// Answers of status 200, nearly all.
  private var successes: UInt64 = 0
  /// The others, by status and reason.
  private var others: [UInt32: UInt64] = [:]

  mutating func receive() { received &+= 1 }

  mutating func leaveUnanswered() { unanswered &+= 1 }

  mutating func delay(_ span: TimeSpan) {
    let (microseconds, isTooMuch) = span.milliseconds.multipliedReportingOverflow(by: 1000)
    delays.add(isTooMuch ? .max : microseconds)
  }

  /// Counts an answer that leaves.
  mutating func answer(_ status: UInt16, _ reason: Reason?) {
    if status == 200, reason == nil {
      successes &+= 1
    } else {
      others[UInt32(status) << 8 | UInt32(reason?.rawValue ?? 0), default: 0] &+= 1
    }
  }

  /// The answers that have left, by status and reason.
  package var answers: [Answers] {
    let success = successes > 0 ? [Answers(status: 200, reason: nil, count: successes)] : []
    return success
      + others.sorted { $0.key < $1.key }.map { key, count in
        Answers(status: UInt16(key >> 8), reason: Reason(rawValue: UInt8(key & 0xFF)), count: count)
      }
  }

  /// The number of all answers that have left.
  package var answered: UInt64 { others.values.reduce(successes, &+) }
}

extension RequestTally: KeptByMembers {
  static let members = Members(Self.init, \.received, \.unanswered, \.delays, \.successes, \.others)

  func complete(_ state: StateReader) throws(StateError) {
    guard others.keys.allSatisfy({ $0 < 1 << 24 }) else {
      throw state.error("a status and a reason were expected")
    }
  }
}
