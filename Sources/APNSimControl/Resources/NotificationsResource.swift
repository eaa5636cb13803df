import APNSimCore
import APNSimWire
import HTTPTypes
import Hummingbird

/// `/notifications`: the inbox of the gateway.
enum NotificationsResource {
  static let routes: [Route] = [
    Route(
      .get,
      "/notifications",
      query: ["query", "from", "to", "order", "after", "before", "limit", "counts"],
      answer: list
    ),
    Route(.delete, "/notifications", answer: clear),
    Route(.get, "/notifications/{id}", answer: get),
    Route(.get, "/notifications/{id}/raw", answer: raw),
    Route(.get, "/notifications/{id}/hex", answer: hex),
  ]

  private static func list(_ call: Call) async throws -> Response {
    let page = NotificationPage(
      simulator: call.simulator,
      limit: try call.query.int("limit", in: 1...1000, default: 100),
      query: try Call.compiled(call.query["query"], within: try call.query.times())
    ) { call.isAwaited && !call.space.ending.hasFired }
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
    return .json { writer in
      writer.list("notifications", found.views) { $0.writeAll(to: &$1) }
      writer.member("next", found.next.map { "n\($0)" })
      guard let counts else { return }
      writer.member("matched", counts.matched)
      writer.member("kept", counts.kept)
    }
  }

  private static func clear(_ call: Call) async throws -> Response {
    try call.perform(.clearHistory)
    return .noContent
  }

  private static func get(_ call: Call) async throws -> Response {
    guard var detail = number(call["id"]).flatMap({ call.simulator.detail(of: $0) }) else {
      throw missing(call["id"])
    }
    detail.fields = call.simulator.fields(of: detail.view)
    return .json { [detail] writer in
      detail.view.writeAll(to: &writer)
      detail.writeMembers(to: &writer)
    }
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
      throw missing(call["id"])
    }
    return view
  }

  private static func missing(_ id: String) -> ProblemDetails {
    .notFound("notification", id, hint: "ids are n1, n2, …; the oldest leave the history, see --keep")
  }

  /// The number of a notification; nil for one that cannot exist.
  static func number(_ id: String) -> UInt64? {
    NotificationView.number(of: id).flatMap { $0 > 0 && $0 < .max ? $0 : nil }
  }
}
