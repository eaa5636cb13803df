import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1

/// `GET /events`: the journal as server-sent events, or digests of it, from now on or from where a reader left off.
enum EventsResource {
  static let routes = [Route(.GET, "/events", query: ["after", "query", "digest"], answer: stream)]

  private static func stream(_ call: Call) async throws -> Response {
    let matching = try Call.compiled(call.query["query"])
    let header = call.request[header: lastEventID]
    let said = header ?? call.query["after"]
    let after = try said.map { said throws(ProblemDetails) in
      guard let seq = UInt64(said), seq < .max else {
        let name = header == nil ? "after" : lastEventID
        throw ProblemDetails.parameter(name, "expected the sequence number of an event, found \"\(said)\"")
      }
      return seq
    }
    let interval = try call.query.value("digest", "a duration from 100ms to 1m such as 250ms") { text in
      TimeSpan(text).flatMap { (100...60_000).contains($0.milliseconds) ? $0 : nil }
    }
    let place = try call.services.streams.enter(call.space.id)
    let channel = call.connection.channel
    let watch = StreamWatch(
      call.simulator,
      mostBehind: StreamWatch.mostBehind,
      patience: call.services.limits.streamPatience
    ) { [server = call.server] in
      server.note("disconnected a reader of events: it took nothing while \(StreamWatch.mostBehind) happened")
      channel.close(promise: nil)
    }
    if let interval {
      let stream = DigestStream(
        space: call.space,
        interval: .milliseconds(interval.milliseconds),
        query: matching,
        after: after,
        process: call.services.process,
        ending: call.ending(),
        watch: watch
      ) { channel.isActive }
      return answer(place, stream.run)
    }
    // A sequence number that was not given out yet is one of an earlier process.
    var isOfEarlierProcess = false
    let reader = call.simulator.readJournal(matching: matching) { next in
      guard let after else { return next }
      isOfEarlierProcess = after >= next
      return isOfEarlierProcess ? 1 : after + 1
    }
    let stream = EventStream(
      call.simulator,
      reader,
      isOfEarlierProcess: isOfEarlierProcess,
      end: call.ending(),
      isRead: { channel.isActive },
      watch: watch
    )
    return answer(place, stream.run)
  }

  /// The answer that a stream writes, for as long as it has its place.
  private static func answer(
    _ place: OpenCount.Place,
    _ run: @escaping @Sendable (ResponseBody.Send) async throws -> Void
  ) -> Response {
    Response(
      status: .ok,
      headers: ["Content-Type": "text/event-stream"],
      body: .pieces(length: nil) { send in
        defer { withExtendedLifetime(place) {} }
        try await run(send)
      }
    )
  }

  private static let lastEventID = "Last-Event-ID"
}
