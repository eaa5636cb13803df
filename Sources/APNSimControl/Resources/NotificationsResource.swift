import APNSimCore
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `/notifications`: the inbox of the gateway.
enum NotificationsResource {
  static let routes: [Route] = [
    Route(
      .GET,
      "/notifications",
      query: ["query", "from", "to", "order", "after", "before", "limit", "counts"],
      answer: list
    ),
    Route(.DELETE, "/notifications", answer: clear),
    Route(.GET, "/notifications/histogram", query: ["query", "from", "to", "bars"], answer: histogram),
    Route(.GET, "/notifications/{id}", answer: get),
    Route(.GET, "/notifications/{id}/raw", answer: raw),
    Route(.GET, "/notifications/{id}/hex", answer: hex),
  ]

  private static func list(_ call: Call) async throws -> Response {
    let page = NotificationPage(
      simulator: call.simulator,
      limit: try call.query.int("limit", in: 1...1000, default: 100),
      query: try Call.compiled(call.query["query"], within: try call.query.times()),
      isWanted: call.isWanted
    )
    let isNewestFirst =
      try call.query.value("order", "one of oldest, newest") {
        $0 == "newest" ? true : $0 == "oldest" ? false : nil
      } ?? false
    let other = isNewestFirst ? "after" : "before"
    guard call.query[other] == nil else {
      throw ProblemDetails.parameter(
        other,
        "\"\(other)\" belongs to order=\(isNewestFirst ? "oldest" : "newest")",
        hint: "give the \"next\" of a page as \"\(isNewestFirst ? "before" : "after")\""
      )
    }
    let place = try call.query.value(
      isNewestFirst ? "before" : "after",
      "a notification's id such as n57",
      number
    )
    let found = await isNewestFirst ? page.newest(before: place ?? .max) : page.oldest(after: place ?? 0)
    let counts = try call.query.flag("counts") ? await page.counts() : nil
    return .json(
      NotificationsAnswer(
        notifications: found.views,
        next: found.next.map { NotificationNumber($0) },
        counts: counts
      )
    )
  }

  /// The history in slices of time.
  private static func histogram(_ call: Call) async throws -> Response {
    let count = try call.query.int("bars", in: 1...1000, default: 120)
    let (start, end) = (try call.query.time("from"), try call.query.time("to"))
    let query = try Call.compiled(call.query["query"])
    let span = call.simulator.historySpan
    let from = start ?? min(span?.first ?? call.server.clock.now, end ?? Timestamp(rawValue: .max))
    // The end of the last slice is not in it.
    let to = end ?? max((span?.last ?? from) + .milliseconds(1), from + .milliseconds(1))
    guard from < to else {
      throw ProblemDetails.parameter("to", "expected a time after \(from), found \(to)")
    }
    let page = NotificationPage(simulator: call.simulator, limit: 0, query: query, isWanted: call.isWanted)
    let bars = await page.bars(HistoryBars(from: from, to: to, count: count))
    return .json(HistogramAnswer(from: from, bars: bars))
  }

  private static func clear(_ call: Call) async throws -> Response {
    try call.perform(.clearHistory)
    return .noContent
  }

  private static func get(_ call: Call) async throws -> Response {
    guard var detail = number(call["id"]).flatMap({ call.simulator.detail(of: $0) }) else {
      throw missing(call["id"], call)
    }
    detail.fields = call.simulator.fields(of: detail.view)
    return .json(detail)
  }

  /// The frame's bytes.
  private static func raw(_ call: Call) async throws -> Response {
    .bytes(try find(call).evidence, type: "application/octet-stream")
  }

  /// The annotated hexadecimal dump of the frame.
  private static func hex(_ call: Call) async throws -> Response {
    let lines = call.simulator.annotatedFrame(try find(call).number)
    let text = AnnotatedHex.render(lines)
    return .bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
  }

  private static func find(_ call: Call) throws(ProblemDetails) -> NotificationView {
    guard let view = number(call["id"]).flatMap({ call.simulator.notification($0) }) else {
      throw missing(call["id"], call)
    }
    return view
  }

  private static func missing(_ id: String, _ call: Call) -> ProblemDetails {
    let numbers = call.simulator.numbers
    let kept =
      numbers.isEmpty
      ? "the history has none" : "the history has n\(numbers.lowerBound) to n\(numbers.upperBound - 1)"
    return .notFound("notification", id, hint: "\(kept): older ones leave it with --keep and with a reset")
  }

  /// The number of a notification; nil for one that cannot exist.
  static func number(_ id: String) -> UInt64? {
    NotificationView.number(of: id).flatMap { $0 > 0 && $0 < .max ? $0 : nil }
  }
}
