import APNSimScenario
import Testing

@Suite struct `Completing a query` {
  private func texts(
    _ line: String,
    at place: Int? = nil,
    seen: [(text: String, count: Int)] = []
  ) throws -> [String] {
    try QueryCompletion(line, at: place).items(seen).map(\.text)
  }

  @Test func `the completion of a query begins with the fields, and with those that begin as what is typed`()
    throws
  {
    let all = try texts("")
    #expect(all.contains("topic") && all.contains("status") && all.contains("payload."))
    #expect(try texts("tok") == ["token"])
    #expect(try texts("topic:a st").prefix(2) == ["status", "stream"])
    #expect(try QueryCompletion("topic:a st", at: nil).range == 8..<10)
    #expect(try QueryCompletion("topic:a  status:8", at: 8).range == 8..<8)
    #expect(try texts("!out") == ["outcome"])
  }

  @Test func `the completion of a query has paths into payloads where fields may stand`() throws {
    let completion = try QueryCompletion("aps.b", at: nil)
    #expect(completion.takesPaths && completion.path == nil)
    let items = completion.items([("aps.badge", 4), ("aps.alert", 9)])
    #expect(items == [QueryCompletion.Item(text: "payload.aps.badge", kind: .field, count: 4)])
  }

  @Test func `a field that is complete is followed by operators that it can have`() throws {
    #expect(try texts("outcome") == ["outcome:", "outcome~", "outcome^", "outcome#"])
    #expect(try texts("badge").contains("badge>="))
    #expect(try QueryCompletion("badge", at: nil).items([]).first?.kind == .operator)
  }

  @Test
  func `the values of a completion are those that there are, the ones that were seen first, with how often`()
    throws
  {
    let completion = try QueryCompletion("outcome:", at: nil)
    #expect(completion.path == "outcome" && completion.range == 8..<8)
    let items = completion.items([("rejected", 7)])
    #expect(items.first == QueryCompletion.Item(text: "rejected", kind: .value, count: 7))
    #expect(items.contains(QueryCompletion.Item(text: "stored", kind: .value, count: 0)))
    #expect(try texts("device:b", seen: [("alice", 2), ("bob", 1), ("rob", 5)]) == ["bob", "rob"])
    #expect(try texts("badge>", seen: [("3", 2)]) == ["3"])
    #expect(try QueryCompletion("badge:3", at: nil).path == "payload.aps.badge")
    #expect(try texts("alert#", seen: [("3", 2)]) == [])
  }

  @Test func `a value is in quotes where it has to be, and what is typed may be`() throws {
    let seen = [(text: #"Order "17" is ready"#, count: 1), (text: "plain", count: 3)]
    #expect(try texts("alert:", seen: seen) == ["plain", #""Order \"17\" is ready""#])
    #expect(try texts(#"alert~"Order "#, seen: seen) == [#""Order \"17\" is ready""#])
    #expect(try QueryCompletion(#"alert:"a b" device:x"#, at: 9).range == 6..<11)
  }

  @Test func `what stands before and is not understood is an error at its column`() throws {
    let error = try #require(throws: DocumentError.self) { try QueryCompletion("topc:a dev", at: nil) }
    #expect(error.problems.first?.location.column == 1)
    #expect(error.problems.first?.suggestion == "topic")
    #expect(throws: DocumentError.self) {
      try QueryCompletion(String(repeating: "a", count: QueryLine.longest + 1), at: nil)
    }
  }

  @Test func `no line and no place traps, and the range is within the line`() throws {
    let pieces = ["", " ", "!", "\"", "\\", ":", "~/", ">=", "a", "topic:b", "alert~\"x y", "é", "  "]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          let line = first + second + third
          for place in -1...line.unicodeScalars.count + 1 {
            guard let completion = try? QueryCompletion(line, at: place) else { continue }
            let within = min(max(0, place), line.unicodeScalars.count)
            #expect(completion.range.upperBound <= line.unicodeScalars.count, "\(line)")
            #expect(
              completion.range.lowerBound <= within && within <= completion.range.upperBound,
              "\(line) \(place)"
            )
            _ = completion.items([("x y", 1)])
          }
        }
      }
    }
  }
}
