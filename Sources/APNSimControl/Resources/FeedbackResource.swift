package import APNSimCore
import APNSimScenario
package import APNSimWire
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
    var tuples: [ListedTuple] = []
    var next: FeedbackCursor?
    for app in apps where next == nil {
      let from = after?.app == app ? after?.position ?? 0 : 0
      let page = call.simulator.feedback(for: app, from: from, limit: left)
      left -= page.tuples.count
      tuples += page.tuples.map { ListedTuple(app: app, tuple: $0) }
      next = page.next.map { FeedbackCursor(app: app, position: $0) }
    }
    return .json(FeedbackAnswer(tuples: tuples, next: next?.description))
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
    return .json(FeedbackReadsAnswer(reads: reads, next: next.map { "\($0)" }))
  }
}

/// A page of tuples, by app.
struct FeedbackAnswer: JSONObject {
  let tuples: [ListedTuple]
  let next: String?

  static let shape = JSONShape<Self>("TuplePage") {
    $0.list("tuples") { $0.tuples }
    $0.member("next", "The cursor to continue after; null at the end.") { $0.next }
  }
}

/// A page of the service's reads, oldest first.
struct FeedbackReadsAnswer: JSONObject {
  let reads: [FeedbackRead]
  let next: String?

  static let shape = JSONShape<Self>("FeedbackReadPage") {
    $0.list("reads") { $0.reads }
    $0.member("next", "The cursor to continue after; null at the end.") { $0.next }
  }
}

/// A tuple with the app whose list it is in.
struct ListedTuple: JSONObject {
  let app: AppKey
  let tuple: FeedbackTuple

  static let shape = JSONShape<Self>("Tuple") {
    $0.members { $0.app }
    $0.member("token", "Hex digits.") { HexText($0.tuple.token) }
    $0.member("timestamp", "Seconds since 1970.") { $0.tuple.timestamp }
  }
}

extension FeedbackRead: JSONObject {
  package static let shape = JSONShape<Self>("FeedbackRead") {
    $0.member("seq") { $0.seq }
    $0.member("time") { $0.time }
    $0.member("connection") { $0.connection }
    $0.members { $0.app }
    $0.member("subject", "The subject of the reader's certificate.") { $0.subject }
    $0.list("tuples", "Empty if the reader found nothing.") { read in
      read.tuples.map { ListedTuple(app: read.app, tuple: $0) }
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
