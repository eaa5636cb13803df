import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `POST /notifications/wait`: answers once a condition holds or cannot hold any more.
enum WaitResource {
  static let routes = [Route(.POST, "/notifications/wait", query: ["assert"], body: .json, answer: wait)]

  private static func wait(_ call: Call) async throws -> Response {
    let asserts = try call.query.flag("assert")
    let terms = try await call.read(WaitBody.read)
    let place = try call.services.waits.enter()
    defer { withExtendedLifetime(place) {} }
    let outcome = await WaitRun(call.simulator, terms, end: call.ending()).run()
    return answer(terms, outcome, asserts: asserts)
  }

  private static func answer(
    _ terms: WaitTerms,
    _ outcome: WaitRun.Outcome,
    asserts: Bool
  ) -> Response {
    let isSatisfied = outcome.isSatisfied
    return .json(asserts && !isSatisfied ? .unprocessableEntity : .ok) { writer in
      writer.member("satisfied", isSatisfied)
      writer.member("expected", terms.expectation)
      writer.member("matched", outcome.matched)
      if outcome.missed > 0 { writer.member("missed", outcome.missed) }
      writer.member("waited", WaitRun.seconds(outcome.waited))
      writer.list("notifications", outcome.notifications) { $0.writeAll(to: &$1) }
      writer.list("nearMisses", outcome.nearMisses) { miss, writer in
        writer.member("id", miss.id)
        writer.list("differences", miss.differences) { difference, writer in
          writer.member("path", difference.path)
          writer.member("expected", difference.expected)
          writer.key("actual")
          if let actual = difference.actual { writer.value(actual) } else { writer.null() }
          // Tells a text from a number, `null` from nothing, and shows what cannot be seen.
          writer.member("found", difference.found)
        }
      }
    }
  }
}
