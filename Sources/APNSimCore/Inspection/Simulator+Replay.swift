package import APNSimWire

/// The doors of replays, beside those that sockets use.
extension Simulator {
  /// The wall time at which the clock shows a simulated moment; while it stands still, the wall time it knows.
  package func wall(showing moment: Timestamp) -> Timestamp {
    withWorld { $0.clock.wallTime(of: moment) ?? $0.clock.wall }
  }

  /// The wall time of the last input.
  package var lastWall: Timestamp { withWorld { $0.clock.wall } }

  /// Asks the rules about an arrival, as the connection of that place among those of its listener.
  package func askAcceptDelay(_ listener: Listener, ordinal: UInt32, at now: Timestamp) {
    look(at: now) { _ = $0.acceptDelay(listener, ordinal: ordinal) }
  }

  /// Adds what became of the notifications from a number on, as they came in, to counts by `Outcome.rawValue`.
  /// - Returns: the number of the next one.
  package func countOutcomes(from number: UInt64, into counts: inout [UInt64]) -> UInt64 {
    withWorld { world in
      let end = world.history.notifications.end
      for number in max(number, world.history.notifications.first)..<max(number, end) {
        counts[Int(world.history.notifications[number].entry.rawValue)] += 1
      }
      return end
    }
  }

  /// The decisions about the notifications from a number on, in their order, as they came in.
  package func verdicts(from number: UInt64) -> [NotificationVerdict] {
    withWorld { world in
      let ring = world.history.notifications.first..<world.history.notifications.end
      return ring[max(number, ring.lowerBound)...].map { world.verdict(of: $0) }
    }
  }
}

/// The gateway's decision about one notification when it came in.
package struct NotificationVerdict: Hashable, Sendable {
  package var number: UInt64
  package var connection: ConnectionID
  package var outcome: Outcome
  /// 0 where it was not rejected, or a script ended the connection without one.
  package var status: UInt8
  /// Of a request: its stream and its answer.
  package var request: Request?
  /// The check that failed, by name; nil where none did.
  package var check: String?
  /// The rule that decided, by its number from 1; 0 where none did.
  package var rule: UInt64
  /// The rule for people: its name in quotes, or its number.
  package var ruleName: String
  /// True if the token itself said what was to become of it.
  package var isMagic: Bool
  package var command: UInt8
  package var identifier: NotificationIdentifier?
  package var token: [UInt8]

  package struct Request: Hashable, Sendable {
    package var stream: UInt32
    package var answer: RequestStatus
  }
}

extension World {
  fileprivate func verdict(of number: UInt64) -> NotificationVerdict {
    let record = history.notifications[number]
    var request: NotificationVerdict.Request?
    if record.interface == .http2 {
      let stream = RequestEvidence(history.evidence(of: record))?.stream ?? 0
      request = NotificationVerdict.Request(stream: stream, answer: RequestStatus(record))
    }
    return NotificationVerdict(
      number: number,
      connection: record.connection,
      outcome: record.entry,
      status: record.status,
      request: request,
      check: record.failed == .none ? nil : record.failed.name,
      rule: UInt64(record.rule),
      ruleName: record.rule > 0 ? ruleName(of: record) : "",
      isMagic: record.magic,
      command: record.interface.command ?? 0,
      identifier: record.fields.hasIdentifier ? record.fields.identifier : nil,
      token: Array(record.fields.token(in: history.evidence(of: record)))
    )
  }
}
