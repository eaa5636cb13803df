import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Rules that are kept` {
  private static let now = Moment.start

  private static var rules: [Rule] {
    var (token, chance) = (RuleMatch(), RuleMatch())
    token.token = .equals(.string(Hex.encode(Samples.online)))
    chance.probability = 0.5
    return [
      Rule(name: "first", when: token, times: 3, action: .reply(Reply(status: .invalidToken))),
      Rule(when: chance, after: 1, every: 2, action: .fault(.swallow)),
      Rule(
        state: Rule.StateChange(requires: "", becomes: "out"),
        action: .fault(.unavailable(Fault.Outage(span: .minutes(5), requests: 4)))
      ),
      Rule(action: .fault(.lateUnregistered(lag))),
    ]
  }

  private static let lag = Fault.Lag(successes: 3, span: .hours(1))

  /// Rules in the midst of things: one has been added, one removed, an outage goes on and tokens are late.
  static func book(_ random: inout SeededGenerator) -> RuleBook {
    var book = RuleBook(rules)
    _ = book.add(Rule(name: "added", action: .proceed))
    _ = book.add(Rule(name: "gone", action: .proceed))
    _ = book.remove("gone")
    for _ in 0..<7 { _ = book.count(1, &random) }
    for _ in 0..<2 { _ = book.count(0, &random) }
    _ = book.count(2, &random)
    book.beginOutage(2, Fault.Outage(span: .minutes(5), requests: 4), at: now)
    for registration: UInt32 in [9, 2, 9, 700] {
      _ = book.isLate(3, lag, registration, since: now, at: now + .seconds(1))
    }
    return book
  }

  private static func bytes(_ book: RuleBook) -> [UInt8] { StateBytes.of { book.write(to: &$0) } }

  private struct UnknownRule: Error {}

  /// Reads a rule that the tests have by what it writes.
  private static func rule(_ json: [UInt8]) throws -> Rule {
    let all = rules + ["added", "gone"].map { Rule(name: $0, action: .proceed) }
    let found = all.first { rule in
      var writer = JSONWriter()
      rule.write(to: &writer)
      return writer.bytes == json
    }
    guard let found else { throw UnknownRule() }
    return found
  }

  private static func read(_ bytes: [UInt8]) throws -> RuleBook {
    try StateBytes.read(bytes) { try RuleBook(reading: &$0, rule: rule) }
  }

  @Test func `rules that are kept are written as the same bytes once they are read`() throws {
    var random = SeededGenerator(seed: 1)
    let book = Self.book(&random)
    let bytes = Self.bytes(book)
    let known = try Self.read(bytes)
    #expect(Self.bytes(known) == bytes)
    #expect(known.views(at: Self.now) == book.views(at: Self.now))
    #expect(known.order == book.order && known.state == book.state && known.entries.count == 6)
    #expect(known.entries.map(\.moment) == book.entries.map(\.moment))
  }

  @Test func `rules that are kept go on counting, refusing and being late`() throws {
    var random = SeededGenerator(seed: 1)
    var book = Self.book(&random)
    var known = try Self.read(Self.bytes(book))
    var other = random
    for place in [0, 1, 0, 1, 1, 1, 2, 3, 0] {
      #expect(known.isReady(place) == book.isReady(place))
      #expect(known.count(place, &other) == book.count(place, &random))
    }
    let (since, moment) = (Self.now, Self.now + .minutes(1))
    for isOut in [true, true, true, false] {
      #expect(known.continueOutage(2, at: moment) == isOut)
      #expect(book.continueOutage(2, at: moment) == isOut)
    }
    for registration: UInt32 in [9, 9, 2, 2, 2, 700, 5] {
      #expect(
        known.isLate(3, Self.lag, registration, since: since, at: moment)
          == book.isLate(3, Self.lag, registration, since: since, at: moment)
      )
    }
    let added = Rule(name: "gone", action: .proceed)
    #expect(known.add(added) == book.add(added))
    #expect(known.remove("first") && book.remove("first"))
    #expect(Self.bytes(known) == Self.bytes(book))
  }

  @Test func `rules that are kept are refused where the order is none`() throws {
    for order in [[0, 0], [0, 2]] as [[UInt16]] {
      var one = StateBytes.of { RuleBook([Rule(name: "added", action: .proceed)]).write(to: &$0) }
      // The order and the state of the script: a count, a place, and the length of a text.
      one.removeLast(18)
      one += StateBytes.of { state in
        order.write(to: &state)
        "".write(to: &state)
      }
      #expect(throws: StateError.self) { try Self.read(one) }
    }
  }

  @Test func `rules that are kept are refused where nothing reads them`() throws {
    let bytes = Self.bytes(RuleBook([Rule(name: "unknown", action: .proceed)]))
    let error = #expect(throws: StateError.self) { try Self.read(bytes) }
    #expect(error?.reason.contains("r1") == true)
  }
}
