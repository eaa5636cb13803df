import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `Advice and reports` {
  /// The advice that readers get: the page, the command line, the line at the end.
  private static func answers(_ simulator: Simulator) -> [String] {
    let notifications = simulator.notifications()
    return simulator.advice(atEnd: true).map { "\($0)" } + simulator.connections().map { "\($0)" }
      + notifications.map { "\($0)" } + notifications.map { "\(simulator.detail(of: $0.number) as Any)" }
  }

  private static func payload(_ number: UInt32) -> String {
    switch number % 4 {
    case 0: #"{"aps":{"alert":{"loc_key":"k\#(number)"}}}"#
    case 1: #"{"aps":{},"badge":\#(number)}"#
    case 2: #"{"aps":{"bagde":1, "alert":"a"},"order":\#(number)}"#
    default: #"{"aps":{"alert":"a"},"conversationID":\#(number)}"#
    }
  }

  /// The same in another order.
  private static func again(_ number: UInt32) -> String {
    number % 4 == 3 ? #"{"conversationID":\#(number), "aps":{"alert":"a"}}"# : payload(number)
  }

  /// The bytes that a provider writes on a connection that meets an error, and on the next one, a read at a time.
  private static let reads: [[[UInt8]]] = [
    (UInt32(1)...9).map { Samples.frame($0, payload: payload($0)) }
      + [Samples.frame(99, to: [1]) + Samples.frame(10, payload: payload(10))]
      + [Samples.frame(11, payload: payload(11))],
    ((UInt32(1)...9).reversed() + [10, 11]).map { Samples.frame($0, payload: again($0)) },
  ]

  /// - Parameter asks: called after each read.
  private static func run(
    keep: Int,
    asks: (Simulator) -> Void = { _ in }
  ) throws -> (simulator: Simulator, journal: MemoryJournal) {
    let simulator = try Samples.simulator { $0.limits.keep = keep }
    let journal = MemoryJournal(simulator)
    for reads in reads {
      let provider = try CoreProvider(samples: simulator)
      for read in reads {
        provider.send(read)
        asks(simulator)
      }
      // Of the closed connections, few are remembered where little is kept; the last one stays open.
      if reads != Self.reads.last { provider.close() }
    }
    return (simulator, journal)
  }

  @Test(arguments: [10, 100_000])
  func `advice and reports do not depend on when somebody asks, however little is kept`(keep: Int) throws {
    let late = try Self.run(keep: keep)
    let always = try Self.run(keep: keep) { _ = Self.answers($0) }
    #expect(Self.answers(late.simulator) == Self.answers(always.simulator))
    #expect(late.journal.text == always.journal.text)
  }

  @Test(arguments: [(10, 3), (100_000, 9)])
  func `advice and reports are of what came again while it was kept, and of all keys`(
    keep: Int,
    duplicates: Int
  ) throws {
    let (simulator, journal) = try Self.run(keep: keep)
    let report = try #require(simulator.connections().first).resend
    #expect(report.duplicated.count == duplicates)
    #expect(report.resent.map(\.description) == ["0000000a", "0000000b"])
    #expect(journal.text.split(separator: #""event":"resent""#).count == 3)
    let counts = Dictionary(grouping: simulator.advice(), by: \.kind).mapValues { $0.map(\.count) }
    #expect(counts[.misplacedKey] == [15] && counts[.acceptedSentAgain] == [UInt64(duplicates)])
  }
}
