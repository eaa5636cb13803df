import APNSimWire
import Foundation
import Testing

/// The grammar of RFC 4627, by a table of values that stand where a custom value stands.
struct GrammarTests {
  private static let prefix = #"{"aps":{},"acme":"#

  @Test(arguments: GrammarCase.values)
  func `a value of the grammar is accepted`(_ test: GrammarCase) {
    let verdict = judge(Self.prefix + test.json + "}")
    #expect(verdict.problem == .none)
    #expect(verdict.offset == 0)
  }

  @Test(arguments: GrammarCase.structure + GrammarCase.tokens + GrammarCase.strings)
  func `anything else is refused, and where`(_ test: GrammarCase) {
    let verdict = judge(Self.prefix + test.json + "}")
    #expect(verdict.problem == test.problem)
    #expect(verdict.offset == Self.prefix.utf8.count + test.offset)
    #expect(!verdict.problem.isJSON)
  }

  @Test(arguments: GrammarCase.values)
  func `a text that ends too early is refused at its end`(_ test: GrammarCase) {
    let bytes = Array((Self.prefix + test.json + "}").utf8)
    for count in 0..<bytes.count {
      let verdict = judge(Array(bytes[..<count]))
      #expect(!verdict.problem.isJSON)
      #expect(verdict.offset <= count)
    }
  }

  @Test(arguments: GrammarCase.values.filter { !$0.json.contains(#"\ud"#) && !$0.json.contains(#"\uD"#) })
  func `Foundation accepts what the judge accepts`(_ test: GrammarCase) throws {
    guard !test.json.contains("e400"), test.json.count < 40 else { return }
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data((Self.prefix + test.json + "}").utf8))
    }
  }

  @Test(arguments: [
    (" \n\r\t", PayloadProblem.expectedRoot, 4), ("", .expectedRoot, 0), ("}", .expectedRoot, 0),
    (#"{"aps":{}}x"#, .expectedEnd, 10), (#"{"aps":{}}{}"#, .expectedEnd, 10),
    (#"{"aps":{}}"# + "\0", .expectedEnd, 10),
    (#"{"aps":{}},"#, .expectedEnd, 10), (#"{"aps":{}}}"#, .expectedEnd, 10), ("{", .expectedFirstKey, 1),
    (#"{"aps":{}"#, .expectedCommaOrObjectEnd, 9), (#"{"aps""#, .expectedColon, 6),
    (#"{"aps":"#, .expectedMember, 7),
  ])
  func `a text is exactly one object`(json: String, problem: PayloadProblem, offset: Int) {
    let verdict = judge(json)
    #expect(verdict.problem == problem)
    #expect(verdict.offset == offset)
  }

  @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 511])
  func `containers nest and end in their own order`(depth: Int) {
    for seed in 0..<4 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let isObject = (0..<depth).map { _ in Bool.random(using: &generator) }
      let open = isObject.map { $0 ? #"{"k":"# : "[" }.joined()
      let close = isObject.reversed().map { $0 ? "}" : "]" }.joined()
      let wrong = isObject.reversed().enumerated().map { ($0.offset == depth / 2) != $0.element ? "}" : "]" }
        .joined()
      #expect(judge(Self.prefix + open + "1" + close + "}").problem == .none)
      #expect(judge(Self.prefix + open + "1" + wrong + "}").problem.category == .syntax)
    }
  }

  @Test func `the 513th open container is one too many`() {
    let open = Array(Self.prefix.utf8) + Array(repeating: UInt8(ascii: "["), count: 100_000)
    let verdict = judge(open)
    #expect(verdict.problem == .tooDeep)
    #expect(verdict.problem.category == .depth)
    #expect(verdict.offset == Self.prefix.utf8.count + 511)
  }

  @Test func `a lower limit can be set, a higher one cannot`() {
    #expect(judge(#"{"aps":{}}"#, PayloadRules(depthLimit: 2)).problem == .none)
    #expect(judge(#"{"aps":{}}"#, PayloadRules(depthLimit: 1)).problem == .tooDeep)
    #expect(judge(#"{"aps":{}}"#, PayloadRules(depthLimit: -1)).problem == .tooDeep)
    let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
    #expect(judge(deep, PayloadRules(depthLimit: .max)).problem == .tooDeep)
  }
}
