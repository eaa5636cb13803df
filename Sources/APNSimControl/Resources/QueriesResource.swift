import APNSimCore
import APNSimScenario
import APNSimWire
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
    return .json { writer in
      writer.member("from", completion.range.lowerBound)
      writer.member("to", completion.range.upperBound)
      writer.list("items", completion.items(seen)) { item, writer in
        writer.member("text", item.text)
        writer.member("kind", item.kind.rawValue)
        if let count = item.count { writer.member("count", count) }
      }
    }
  }
}
