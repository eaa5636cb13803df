import APNSimWire

/// The counts since the last reset, whatever the history still holds.
package struct Tally: Sendable {
  /// Notifications by what became of them when they came in, by `Outcome.rawValue`.
  package private(set) var received = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// Stored notifications by what became of them later.
  package private(set) var settled = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// The part of `received` that came as requests.
  package private(set) var requests = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// Rejected frames by their status.
  package private(set) var rejected = [UInt64](repeating: 0, count: 256)
  /// Rejected requests by their reasons' numbers; 0 counts those that a rule answered with none, or that are not answered.
  package private(set) var rejectedRequests = [UInt64](repeating: 0, count: 256)
  /// Requests and their answers.
  package internal(set) var exchanges = RequestTally()
  /// Bytes of notifications.
  package private(set) var bytes: UInt64 = 0

  @inline(__always)
  mutating func count(_ record: borrowing NotificationRecord) {
    received[Int(record.entry.rawValue)] &+= 1
    bytes &+= UInt64(record.evidenceByteCount)
    if record.entry == .rejected { countRejection(record) }
  }

  @inline(never)
  private mutating func countRejection(_ record: borrowing NotificationRecord) {
    guard case .http2 = record.interface else { return rejected[Int(record.status)] &+= 1 }
    rejectedRequests[Int(RequestStatus(record).reason?.rawValue ?? 0)] &+= 1
  }

  /// Counts a notification that came as a request, beside the others.
  mutating func countRequest(_ entry: Outcome) {
    requests[Int(entry.rawValue)] &+= 1
    exchanges.receive()
  }

  mutating func settle(_ outcome: Outcome) { settled[Int(outcome.rawValue)] &+= 1 }
}

extension Tally: KeptByMembers {
  static let members = Members(
    Self.init,
    \.received,
    \.settled,
    \.requests,
    \.rejected,
    \.rejectedRequests,
    \.exchanges,
    \.bytes
  )

  func complete(_ state: StateReader) throws(StateError) {
    let empty = Tally()
    try expect(received, like: empty.received, state)
    try expect(settled, like: empty.settled, state)
    try expect(requests, like: empty.requests, state)
    try expect(rejected, like: empty.rejected, state)
    try expect(rejectedRequests, like: empty.rejectedRequests, state)
  }

  private func expect(
    _ counts: [UInt64],
    like empty: [UInt64],
    _ state: StateReader
  ) throws(StateError) {
    guard counts.count == empty.count else {
      throw state.error("\(empty.count) counts were expected, and \(counts.count) found")
    }
  }
}
