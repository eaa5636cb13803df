import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `An unfinished frame at the gateway` {
  private static let text = "73 of 74 bytes of a command 2 frame"

  private func beginning() throws -> [UInt8] { Array(try Fixtures.data("reports/frame-one-byte-short.bin")) }

  @Test func `an unfinished frame is seen on its connection, however it is cut, until its last byte comes`()
    throws
  {
    let bytes = try beginning()
    for cuts in Cuts.all {
      let simulator = try Samples.simulator()
      let provider = try CoreProvider(samples: simulator)
      func seen() -> String? { simulator.connection(provider.connection.id)?.unfinished?.description }
      provider.send(Samples.frame(1))
      #expect(seen() == nil)
      for piece in cuts.pieces(of: bytes) { provider.send(piece) }
      #expect(seen() == Self.text)
      #expect(provider.connection.unfinished?.description == Self.text)
      provider.send([7])
      #expect(seen() == nil && provider.connection.unfinished == nil)
      #expect(simulator.notifications().count == 2)
    }
  }

  @Test func `an unfinished frame is the nearest miss, on connections that can have been meant`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1) + (try beginning()))
    func query(_ topic: String) -> Query {
      Query([
        Query.Condition(path: "topic", matcher: .equals(.string(topic))),
        Query.Condition(path: "identifier", matcher: .equals(.string("00000003"))),
      ])
    }
    let miss = try #require(simulator.nearMisses(query(Samples.topic), from: 1).first)
    #expect(miss.id == "c1" && miss.differences.map(\.path) == ["frame"])
    #expect(miss.differences.map(\.expected) == ["74 bytes of a command 2 frame"])
    #expect(miss.differences.map(\.found) == ["73"])
    #expect(simulator.nearMisses(query("com.example.other"), from: 1).map(\.id) == ["n1"])
    let expectation = Expectation(subject: .notifications(query(Samples.topic)), count: CountTest(atLeast: 1))
    #expect(simulator.evaluate(expectation).nearMisses.map(\.id) == ["c1", "n1"])
  }

  @Test func `an unfinished frame is advised on while it waits for long, and once its connection has ended`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let journal = MemoryJournal(simulator)
    provider.send(try beginning())
    #expect(simulator.advice(at: Moment.start + .milliseconds(900)) == [])
    let waiting = simulator.advice(at: Moment.start + .seconds(1))
    #expect(waiting.map(\.kind) == [.unfinishedFrame] && waiting.map(\.count) == [1])
    provider.close()
    let ended = simulator.advice(at: Moment.start + .seconds(1))
    #expect(ended.map(\.kind) == [.unfinishedFrame] && ended.map(\.count) == [1])
    #expect(simulator.connection(provider.connection.id)?.unfinished?.description == Self.text)
    #expect(!journal.text.contains("unfinished"))
  }

  @Test func `an unfinished frame is nobody's fault after an error or between a shutdown's writes`()
    throws
  {
    let simulator = try Samples.simulator()
    let drained = try CoreProvider(samples: simulator)
    drained.send(try beginning())
    drained.connection.closed(.drained, at: Moment.start)
    let answered = try CoreProvider(samples: simulator)
    answered.send(Samples.frame(1, to: Array(repeating: 0xEE, count: 32)) + (try beginning()))
    #expect(simulator.connection(answered.connection.id)?.unfinished == nil)
    answered.close()
    #expect(!simulator.advice(at: Moment.start + .hours(1)).contains { $0.kind == .unfinishedFrame })
  }
}
