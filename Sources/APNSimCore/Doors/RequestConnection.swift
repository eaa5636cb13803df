package import APNSimWire

/// One provider's connection of requests: requests in, answers out.
///
/// It belongs to whoever feeds it (an event loop, a replay) and is not to be shared. It knows neither frames nor
/// streams but for their numbers: a request enters when it has ended, and in what pieces it came does not matter.
package final class RequestConnection {
  package let id: ConnectionID
  let simulator: Simulator
  let record: RequestRecord
  /// True where a fault strikes after so many bytes: the listener counts them, because nobody else sees them.
  package let countsBytes: Bool
  private(set) var read: UInt32 = 0

  init(simulator: Simulator, record: RequestRecord) {
    (self.simulator, self.record) = (simulator, record)
    id = record.id
    countsBytes = record.strike?.bytesLeft != nil
  }

  /// The faults of this connection, for the listener to perform.
  package var plan: ConnectionPlan { record.plan }

  /// The connection's end by a fault that strikes before the first request.
  package var openingEnding: ConnectionEnding { record.openingEnding }

  /// Counts bytes that came.
  /// - Returns: the number of them that are read before the fault strikes, and true where it strikes after them.
  package func countBytes(_ count: Int) -> (read: Int, strikes: Bool) {
    simulator.withWorld { _ in
      let read = record.strike?.takeBytes(count) ?? count
      return (read, record.strike?.isDue == true)
    }
  }

  /// The fault strikes whose bytes have been read.
  package func strikeAfterBytes(at now: Timestamp) -> RequestActions {
    simulator.submit(BytesCounted(connection: record), at: now)
  }

  /// The number of answers that have still to leave.
  package var pendingAnswers: Int { simulator.withWorld { _ in record.pending.count } }

  /// Takes the requests that one read brought to their end, in that order.
  /// - Parameter isLive: their provider lives by the real clock, which `now` is of; false for those of a scenario or a journal.
  package func receive(_ batch: inout RequestBatch, at now: Timestamp, isLive: Bool = false) -> RequestActions
  {
    batch.isEmpty ? .none : submit(&batch, at: now, isLive)
  }

  /// Takes requests by themselves, as one read.
  package func receive(
    _ requests: [ProviderRequest],
    at now: Timestamp,
    isLive: Bool = false
  ) -> RequestActions {
    guard !requests.isEmpty else { return .none }
    var batch = RequestBatch()
    for request in requests { batch.append(request) }
    return submit(&batch, at: now, isLive)
  }

  private func submit(_ batch: inout RequestBatch, at now: Timestamp, _ isLive: Bool) -> RequestActions {
    read &+= 1
    if simulator.configuration.rules.have(.whiteSpace) { batch.dropWhiteSpace() }
    return withUnsafeMutablePointer(to: &batch) {
      var input = Requests(batch: $0, read: read, connection: record, isLive: isLive)
      return simulator.submit(&input, at: now)
    }
  }

  /// Takes requests that a journal says one read brought, and numbers what comes of them so.
  package func receive(
    _ requests: [ProviderRequest],
    read number: UInt32,
    at now: Timestamp
  ) -> RequestActions {
    if number > 0 { read = number &- 1 }
    return receive(requests, at: now)
  }

  /// Takes note of a stream that was reset, since what came on it is no request.
  package func refuse(_ malformed: MalformedRequest, at now: Timestamp) {
    simulator.submit(RequestMalformation(connection: record, malformed: malformed), at: now)
  }

  /// The provider gives up a stream (RST_STREAM): an answer that has not left never will.
  package func giveUp(_ stream: UInt32, _ code: HTTP2Code, at now: Timestamp) -> RequestActions {
    simulator.submit(StreamGivenUp(connection: record, stream: stream, code: code), at: now)
  }

  /// Takes the answers that have still to leave: the service shuts down and does not wait for their moments. GOAWAY follows
  /// them, with the stream of the last request.
  package func shutDown(at now: Timestamp) -> RequestActions {
    simulator.submit(RequestsShutdown(connection: record), at: now)
  }

  /// The TCP connection is gone. What was not answered stays so.
  package func closed(_ reason: ClosingReason, at now: Timestamp) {
    simulator.submit(RequestsClosing(connection: record, reason: reason), at: now)
  }
}
