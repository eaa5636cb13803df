internal import APNSimCore
internal import APNSimServer
internal import APNSimWire
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /events`: the journal as server-sent events, from now on or from where a reader left off.
enum EventsResource {
  static let routes = [Route(.get, "/events", query: ["after", "query"], answer: stream)]

  private static func stream(_ call: Call) async throws -> Response {
    let matching = try Call.compiled(call.query["query"])
    let said = call.request.headers[lastEventID] ?? call.query["after"]
    let next = call.simulator.nextSeq
    var from = next
    // Numbers that have not been given out are those of an earlier process.
    var isOfEarlierProcess = false
    if let said {
      guard let seq = UInt64(said), seq < .max else {
        throw Problem.parameter("after", "expected the sequence number of an event, found \"\(said)\"")
      }
      isOfEarlierProcess = seq >= next
      from = isOfEarlierProcess ? 0 : seq + 1
    }
    let place = try call.control.streams.enter()
    let watch = StreamWatch(call.simulator) { [server = call.server, channel = call.channel] in
      server.note("a reader of events took nothing while \(StreamWatch.mostBehind) happened, and is cut off")
      channel.close(promise: nil)
    }
    let stream = EventStream(
      call.simulator,
      from: from,
      isOfEarlierProcess: isOfEarlierProcess,
      matching: matching,
      end: call.ending(),
      watch: watch
    )
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream"],
      body: ResponseBody { writer in
        defer { withExtendedLifetime(place) {} }
        try await stream.run { try await writer.write($0) }
        try await writer.finish(nil)
      }
    )
  }

  private static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .ifMatch
}
