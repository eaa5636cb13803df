internal import APNSimCore
internal import APNSimScenario
internal import APNSimWire
internal import HTTPTypes
internal import Hummingbird

/// `/feedback`: the lists that wait to be read, and who read them.
enum FeedbackResource {
  static let routes: [Route] = [
    Route(.get, "/feedback", answer: list),
    Route(.post, "/feedback", answer: add),
    Route(.delete, "/feedback", answer: clear),
    Route(.get, "/feedback/reads", answer: reads),
  ]

  /// Tuples of an answer at most; a list may have millions.
  private static let mostTuples = 10_000

  private static func list(_ call: Call) async throws -> Response {
    let apps = try apps(call, try call.query("topic", "environment"))
    var left = mostTuples
    return .json { writer in
      writer.key("tuples")
      writer.beginArray()
      for app in apps where left > 0 {
        let tuples = call.simulator.feedback(for: app, limit: left)
        left -= tuples.count
        for tuple in tuples { write(tuple, of: app, to: &writer) }
      }
      writer.endArray()
    }
  }

  private static func write(_ tuple: FeedbackTuple, of app: AppKey, to writer: inout JSONWriter) {
    writer.beginObject()
    app.writeMembers(to: &writer)
    writer.member("token", hex: tuple.token)
    writer.member("timestamp", tuple.timestamp)
    writer.endObject()
  }

  /// The apps that the query's `topic` and `environment` mean.
  private static func apps(_ call: Call, _ query: QueryParameters) throws(Problem) -> [AppKey] {
    let environment = try environment(query)
    return call.simulator.apps().filter { app in
      (query["topic"] ?? app.topic) == app.topic && (environment ?? app.environment) == app.environment
    }
  }

  private static func environment(_ query: QueryParameters) throws(Problem) -> PushEnvironment? {
    guard let text = query["environment"] else { return nil }
    guard let environment = PushEnvironment(rawValue: text) else {
      throw .parameter("environment", "expected production or sandbox, found \"\(text)\"")
    }
    return environment
  }

  private static func add(_ call: Call) async throws -> Response {
    let specification = try await call.read(FeedbackRequest.read)
    try call.perform(.addFeedback(specification))
    return .noContent
  }

  private static func clear(_ call: Call) async throws -> Response {
    let query = try call.query("topic", "environment")
    guard query["topic"] != nil || query["environment"] != nil else {
      try call.perform(.clearFeedback(nil))
      return .noContent
    }
    for app in try apps(call, query) { try call.perform(.clearFeedback(app)) }
    return .noContent
  }

  private static func reads(_ call: Call) async throws -> Response {
    let query = try call.query("after", "limit")
    let after = try query.int("after", in: 0...Int.max - 1, default: 0)
    let limit = try query.int("limit", in: 1...1000, default: 100)
    let (reads, next) = call.simulator.feedbackReads(after: UInt64(after), limit: limit)
    return .json { writer in
      writer.list("reads", reads) { read, writer in
        writer.member("seq", read.seq)
        writer.member("time", read.time.description)
        writer.member("connection", read.connection.description)
        read.app.writeMembers(to: &writer)
        writer.member("subject", read.subject)
        writer.key("tuples")
        writer.beginArray()
        for tuple in read.tuples { write(tuple, of: read.app, to: &writer) }
        writer.endArray()
      }
      writer.member("next", next.map { "\($0)" })
    }
  }
}
