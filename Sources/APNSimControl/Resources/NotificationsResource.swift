import APNSimCore
import APNSimWire
import HTTPTypes
import Hummingbird

/// `/notifications`: the inbox of the gateway.
enum NotificationsResource {
  static let routes: [Route] = [
    Route(.get, "/notifications", query: ["query", "after", "limit"], answer: list),
    Route(.delete, "/notifications", answer: clear),
    Route(.get, "/notifications/{id}", answer: get),
    Route(.get, "/notifications/{id}/raw", answer: raw),
    Route(.get, "/notifications/{id}/hex", answer: hex),
  ]

  private static func list(_ call: Call) async throws -> Response {
    let limit = try call.query.int("limit", in: 1...1000, default: 100)
    let after = try call.query.value("after", "a notification's id such as n57", number)
    let matching = try Call.compiled(call.query["query"])
    let page = await page(call, after: after ?? 0, limit: limit, matching)
    return .json { writer in
      writer.list("notifications", page.views) { $0.writeAll(to: &$1) }
      writer.member("next", page.next.map { "n\($0)" })
    }
  }

  /// Collects a page. It ends early when the client has gone or the simulator stops.
  private static func page(
    _ call: Call,
    after: UInt64,
    limit: Int,
    _ query: CompiledQuery?
  ) async -> (views: [NotificationView], next: UInt64?) {
    var views: [NotificationView] = []
    var from = after &+ 1
    while true {
      let slice = call.simulator.notifications(from: from, limit: limit - views.count, matching: query)
      views += slice.views
      from = slice.next
      if slice.isLast { return (views, nil) }
      if views.count >= limit || !call.isAwaited || call.space.ending.hasFired { return (views, from - 1) }
      await Task.yield()
    }
  }

  private static func clear(_ call: Call) async throws -> Response {
    try call.perform(.clearHistory)
    return .noContent
  }

  private static func get(_ call: Call) async throws -> Response {
    let view = try find(call)
    return .json { view.writeAll(to: &$0) }
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
      throw .notFound(
        "notification",
        call["id"],
        hint: "ids are n1, n2, …; the oldest leave the history, see --keep"
      )
    }
    return view
  }

  /// The number of a notification; nil for one that cannot exist.
  static func number(_ id: String) -> UInt64? {
    NotificationView.number(of: id).flatMap { $0 > 0 && $0 < .max ? $0 : nil }
  }
}

extension NotificationView {
  /// Writes all members of the object: sequence number and time first, then the notification's.
  func writeAll(to writer: inout JSONWriter) {
    writer.member("seq", seq)
    writer.member("time", time.description)
    writeMembers(to: &writer)
  }
}
