import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Foundation
import Testing

/// A text of `fixtures/mistakes`, and all that the reader finds wrong with it: nothing where it is good.
struct ReadText: Sendable, CustomTestStringConvertible {
  let file: String
  let text: String
  let document: String
  let found: [String]

  var testDescription: String { "\(file): \(text)" }

  static let all: [ReadText] = {
    let folder = Fixtures.root.appendingPathComponent("mistakes")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().flatMap { name in
      (try? JSONDecoder().decode(File.self, from: Fixtures.data("mistakes/\(name)")))?.texts(of: name) ?? []
    }
  }()

  private struct File: Decodable {
    struct Mistake: Decodable {
      var text: String
      var found: [String]
    }

    /// The text before each; `after` comes after it.
    var before: String
    var after: String
    var good: [String]
    var mistakes: [Mistake]

    /// A text in which the names of all faults stand as `{faults}`.
    private static func named(_ text: String) -> String {
      let names = FaultKind.names
      return text.replacing(
        "{faults}",
        with: "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
      )
    }

    func texts(of file: String) -> [ReadText] {
      func read(_ text: String, _ found: [String]) -> ReadText {
        ReadText(file: file, text: text, document: before + text + after, found: found.map(Self.named))
      }
      return good.map { read($0, []) } + mistakes.map { read($0.text, $0.found) }
    }
  }
}

@Suite struct `Mistakes in scenario files` {
  @Test(arguments: ReadText.all)
  func `mistakes in scenario files are named with line and column, and nothing else is`(text: ReadText) {
    #expect(findings(in: text.document, serverSettings: ["gatewayPort"]) == text.found)
  }

  @Test func `the fixtures have many mistakes, and many texts without one`() {
    #expect(ReadText.all.count { $0.found.isEmpty } > 150)
    #expect(ReadText.all.count { !$0.found.isEmpty } > 240)
    #expect(Set(ReadText.all.map(\.file)).count == 17)
  }
}
