import APNSimWire

/// A connection that never became one: its certificate was refused, it did not speak TLS, or there was no place for it.
package struct ConnectionRefusal: Sendable {
  package var at: Timestamp
  package var listener: Listener
  package var peer: String
  /// The reason as the journal names it.
  package var reason: String
  /// The subject of its certificate; empty where it sent none.
  package var subject: String
}

extension History {
  /// The newest refusals among the events that are kept, in their order.
  func refusals(most: Int) -> [ConnectionRefusal] {
    var newest: [ConnectionRefusal] = []
    for count in (firstEvent..<endEvent).reversed() {
      guard newest.count < most else { break }
      let record = event(count)
      switch record.event {
      case .connectionRefused(let listener, let peer, let reason, let subject):
        newest.append(
          ConnectionRefusal(at: record.time, listener: listener, peer: peer, reason: reason, subject: subject)
        )
      case .connectionTurnedAway(let listener, let opening, let reason):
        let subject = opening.provider.subject
        newest.append(
          ConnectionRefusal(
            at: record.time,
            listener: listener,
            peer: opening.peer,
            reason: reason,
            subject: subject
          )
        )
      default: break
      }
    }
    return newest.reversed()
  }
}
