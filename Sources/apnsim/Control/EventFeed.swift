import APNSimWire
import NIOCore

/// Follows the journal of a running server, through connections that break: each event once, in order.
struct EventFeed {
  let client: ControlClient
  /// A query that the server applies; nil for all events.
  var query: String?
  /// The time a server may be gone before it is given up.
  var patience = Duration.seconds(5)

  /// True if a server that stops is the end; otherwise another one is waited for, as for one that is lost.
  var endsWithServer = false

  /// The number of the last known event; those after it follow. Nil: only new events.
  var last: UInt64?

  init(_ client: ControlClient, after last: UInt64? = nil, query: String? = nil) {
    (self.client, self.last, self.query) = (client, last, query)
  }

  /// Ends a feed from inside.
  private struct Stop: Error {}

  /// Calls with every event until it returns false.
  /// - Parameter each: gets the journal line, without a newline, and what is missing before it.
  /// - Throws: what `each` throws, and `CommandFailure` when the server says no or stays away.
  mutating func run(_ each: (EventStreamParser.Event, Gap?) throws -> Bool) async throws {
    var goneSince: ContinuousClock.Instant?
    var missing: Gap?
    while true {
      var parser = EventStreamParser()
      do {
        var request = ControlRequest(.get, "events")
        request.timeout = nil
        request.lastEventID = last.map { "\($0)" }
        if let query { request.query = [("query", query)] }
        try await client.stream(request) { buffer in
          goneSince = nil
          for event in parser.feed(buffer.readableBytesView) {
            if let gap = Gap(event) {
              let before = missing?.count ?? 0
              missing = gap
              missing?.count.add(saturating: before)
              continue
            }
            note(event)
            guard try each(event, missing) else { throw Stop() }
            missing = nil
          }
          if parser.isBroken { throw ControlInterruption.broken("an event is too long") }
        }
        if endsWithServer { return }
      } catch is Stop {
        return
      } catch let error as CommandFailure {
        // A server that was never reached is not waited for.
        guard error.status == .unreachable, let since = goneSince, ContinuousClock.now - since < patience
        else {
          throw error
        }
      } catch let error as ControlInterruption {
        if case .broken(let reason) = error, parser.isBroken { throw CommandFailure(.runtimeError, reason) }
        if let since = goneSince, ContinuousClock.now - since >= patience {
          throw CommandFailure(.unreachable, "\(client.target.url): \(error)")
        }
      }
      try Task.checkCancellation()
      if goneSince == nil { goneSince = .now }
      // A server may also close a stream to ask for a later reconnection.
      try await Task.sleep(for: parser.retry ?? .milliseconds(500))
    }
  }

  /// Remembers the event's number.
  private mutating func note(_ event: EventStreamParser.Event) {
    if let number = event.id.flatMap({ UInt64($0) }) { last = number }
  }

  /// Events that had left the server's memory.
  struct Gap {
    var count: UInt64
    /// In the server's words.
    var reason: String
  }
}

extension EventFeed.Gap {
  /// Nil for an event other than `gap`.
  init?(_ event: EventStreamParser.Event) {
    guard event.name == "gap" else { return nil }
    let value = try? JSONValue.parse(event.data)
    count = value?.member("missed")?.intValue.flatMap { UInt64(exactly: $0) } ?? 0
    reason = value?.member("reason")?.stringValue ?? "the server no longer had them"
  }
}
