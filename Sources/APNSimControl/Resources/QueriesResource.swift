import APNSimCore
package import APNSimScenario
package import APNSimWire
import NIOHTTP1

/// `GET /queries/complete`: what can stand at a place of a query.
enum QueriesResource {
  static let routes = [Route(.GET, "/queries/complete", query: ["text", "at"], answer: complete)]

  private static func complete(_ call: Call) async throws -> Response {
    let text = call.query["text"] ?? ""
    let place = try call.query.value("at", "a place in the text, counted from 0") { text in
      Int(text).flatMap { (0...QueryLine.longest).contains($0) ? $0 : nil }
    }
    let completion: QueryCompletion
    do throws(DocumentError) {
      completion = try QueryCompletion(text, at: place)
    } catch {
      throw ProblemDetails.query("text", error)
    }
    let seen =
      completion.takesPaths
      ? call.simulator.payloadPathsSeen() : completion.path.map { call.simulator.valuesSeen(at: $0) } ?? []
    return .json(CompletionAnswer(range: completion.range, items: completion.items(seen)))
  }
}

struct CompletionAnswer: JSONObject {
  let range: Range<Int>
  let items: [QueryCompletion.Item]

  static let shape = JSONShape<Self>("QueryCompletion") {
    $0.member("from", "What an item stands for begins here, counted as `at` is.", .least(0)) {
      $0.range.lowerBound
    }
    $0.member("to", "It ends before this place.", .least(0)) { $0.range.upperBound }
    $0.list(
      "items",
      "Those that begin as what is typed, the most frequent first, and then those that have it in them.",
      counts: 0...QueryCompletion.mostItems
    ) { $0.items }
  }
}

extension QueryCompletion.Item: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("text", "As it is typed, in quotes where it has to be.") { $0.text }
    $0.member("kind", "An `operator` comes with its field before it.") { $0.kind }
    $0.optional("count", "How often it is among the newest 2,000 notifications.", .least(0)) { $0.count }
  }
}
