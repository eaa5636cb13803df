import APNSimCore
import APNSimScenario
import APNSimWire
import HTTPTypes
import Hummingbird

/// `POST /notifications/wait`: answers once a condition holds or cannot hold any more.
enum WaitResource {
  static let routes = [Route(.post, "/notifications/wait", query: ["assert"], body: .json, answer: wait)]

  private static let mostNearMisses = 3

  private static func wait(_ call: Call) async throws -> Response {
    let asserts = try call.query.flag("assert")
    let request = try await call.read(WaitBody.read)
    let place = try call.services.waits.enter()
    defer { withExtendedLifetime(place) {} }
    let outcome = await WaitRun(call.simulator, request, end: call.ending()).run()
    return answer(call, request, outcome, asserts: asserts)
  }

  private static func answer(
    _ call: Call,
    _ request: WaitBody,
    _ outcome: WaitRun.Outcome,
    asserts: Bool
  ) -> Response {
    let isSatisfied = outcome.isSatisfied
    let nearMisses =
      isSatisfied || outcome.matched >= request.count.atLeast ?? 0
      ? [] : call.simulator.nearMisses(request.query, from: outcome.first, most: mostNearMisses)
    return .json(asserts && !isSatisfied ? .unprocessableContent : .ok) { writer in
      writer.member("satisfied", isSatisfied)
      writer.member("expected", request.expectation)
      writer.member("matched", outcome.matched)
      if outcome.missed > 0 { writer.member("missed", outcome.missed) }
      writer.member("waited", WaitRun.seconds(outcome.waited))
      writer.list("notifications", outcome.notifications) { $0.writeAll(to: &$1) }
      writer.list("nearMisses", nearMisses) { miss, writer in
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
