package import APNSimCore
import APNSimScenario
import APNSimServer
package import APNSimWire
import NIOHTTP1

/// `POST /notifications/wait`: answers once a condition holds or cannot hold any more.
enum WaitResource {
  static let routes = [Route(.POST, "/notifications/wait", query: ["assert"], body: .json, answer: wait)]

  private static func wait(_ call: Call) async throws -> Response {
    let asserts = try call.query.flag("assert")
    let terms = try await call.read(WaitBody.read)
    let place = try call.services.waits.enter(call.space.id)
    defer { withExtendedLifetime(place) {} }
    let outcome = await WaitRun(call.simulator, terms, end: call.ending()).run()
    return answer(terms, outcome, asserts: asserts)
  }

  private static func answer(
    _ terms: WaitTerms,
    _ outcome: WaitRun.Outcome,
    asserts: Bool
  ) -> Response {
    let status: HTTPResponseStatus = asserts && !outcome.isSatisfied ? .unprocessableEntity : .ok
    return .json(status, WaitAnswer(terms: terms, outcome: outcome))
  }
}

struct WaitAnswer: JSONObject {
  let terms: WaitTerms
  let outcome: WaitRun.Outcome

  static let shape = JSONShape<Self>("WaitResult") {
    $0.member("satisfied") { $0.outcome.isSatisfied }
    $0.member("expected", "The count that was asked for, and for how long it had to be quiet after that.") {
      $0.terms.expectation
    }
    $0.member("matched", "Those that matched.", .least(0)) { $0.outcome.matched }
    $0.optional(
      "missed",
      """
      Notifications that came before the wait and could not be examined: they had left the history (the setting `keep`), \
      or the time was over before. A wait with an upper bound is then not satisfied. Absent if there are none.
      """
    ) { $0.outcome.missed > 0 ? $0.outcome.missed : nil }
    $0.member("waited", "How long.", .example("5.0s")) { WaitRun.seconds($0.outcome.waited) }
    $0.list(
      "notifications",
      "The first hundred that matched; `GET /notifications` with the same query lists all."
    ) { $0.outcome.notifications }
    $0.list("nearMisses", "The nearest ones, where too few matched.") { $0.outcome.nearMisses }
  }
}

extension NearMiss: JSONObject {
  package static let shape = JSONShape<Self>("NearMiss") {
    $0.member(
      "id",
      """
      A notification, or a connection (such as `c3`) whose frame is not finished; its difference has the path `frame` and \
      the bytes that have come.
      """
    ) { $0.id }
    $0.list("differences") { $0.differences }
  }
}

extension Query.Difference: JSONObject {
  package static let shape = JSONShape<Self>("Difference") {
    $0.member("path") { $0.path }
    $0.member("expected") { $0.expected }
    $0.member("actual", "The value; null if there is none.") { $0.actual }
    $0.member(
      "found",
      """
      The value as people compare it: in JSON's notation, with every character escaped that cannot be seen or looks like \
      another, or `nothing`.
      """,
      .example("\"order #17\"")
    ) { $0.found }
  }
}
