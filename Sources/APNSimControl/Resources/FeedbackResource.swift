import APNSimCore
import APNSimScenario
import APNSimWire
import NIOHTTP1

/// `/feedback`: the unread lists, and the reads of the service.
enum FeedbackResource {
  static let routes: [Route] = [
    Route(.GET, "/feedback", query: ["topic", "environment", "after", "limit"], answer: list),
    Route(.POST, "/feedback", body: .json, answer: add),
    Route(.DELETE, "/feedback", query: ["topic", "environment"], answer: clear),
    Route(.GET, "/feedback/reads", query: ["after", "limit"], answer: reads),
  ]

  private static func list(_ call: Call) async throws -> Response {
    var left = try call.query.int("limit", in: 1...10_000, default: 10_000)
    let after = try call.query.value("after", "the \"next\" of a page") { FeedbackCursor($0) }
    let apps = try apps(call).filter { app in after.map { app >= $0.app } ?? true }
    return .json { writer in
      var next: FeedbackCursor?
      writer.key("tuples")
      writer.beginArray()
      for app in apps {
        let from = after?.app == app ? after?.position ?? 0 : 0
        let page = call.simulator.feedback(for: app, from: from, limit: left)
        left -= page.tuples.count
        for tuple in page.tuples { write(tuple, of: app, to: &writer) }
        next = page.next.map { FeedbackCursor(app: app, position: $0) }
        if next != nil { break }
      }
      writer.endArray()
      writer.member("next", next?.description)
    }
  }

  private static func write(_ tuple: FeedbackTuple, of app: AppKey, to writer: inout JSONWriter) {
    writer.beginObject()
    app.writeMembers(to: &writer)
    writer.member("token", hex: tuple.token)
    writer.member("timestamp", tuple.timestamp)
    writer.endObject()
  }

  /// The apps that match the query's `topic` and `environment`.
  private static func apps(_ call: Call) throws(ProblemDetails) -> [AppKey] {
    let environment = try environment(call.query)
    return call.simulator.apps().filter { app in
      (call.query["topic"] ?? app.topic).isExactly(app.topic)
        && (environment ?? app.environment) == app.environment
    }
  }

  private static func environment(_ query: QueryParameters) throws(ProblemDetails) -> PushEnvironment? {
    try query.value("environment", "production or sandbox") { PushEnvironment(rawValue: $0) }
  }

  private static func add(_ call: Call) async throws -> Response {
    let specification = try await call.read { text throws(DocumentError) in
      try FeedbackBody.read(text, environment: call.space.environment)
    }
    try call.perform(.addFeedback(specification))
    return .noContent
  }

  private static func clear(_ call: Call) async throws -> Response {
    guard call.query["topic"] != nil || call.query["environment"] != nil else {
      try call.perform(.clearFeedback(nil))
      return .noContent
    }
    for app in try apps(call) { try call.perform(.clearFeedback(app)) }
    return .noContent
  }

  private static func reads(_ call: Call) async throws -> Response {
    let after = try call.query.int("after", in: 0...Int.max - 1, default: 0)
    let limit = try call.query.int("limit", in: 1...1000, default: 100)
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

/// The end of a page of feedback tuples: a position in the list of one app. Its text is opaque to clients.
struct FeedbackCursor: CustomStringConvertible {
  var app: AppKey
  /// A stable position in the list.
  var position: UInt64

  var description: String { "\(position):\(app.environment.rawValue):\(app.topic)" }
}

extension FeedbackCursor {
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2)
    guard
      parts.count == 3,
      let position = UInt64(parts[0]),
      let environment = PushEnvironment(rawValue: String(parts[1]))
    else { return nil }
    self.init(app: AppKey(topic: String(parts[2]), environment: environment), position: position)
  }
}
