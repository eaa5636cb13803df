import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite(.mustNotHang) struct `Jitter` {
  @Test func `jitter comes from the seed, for each connection anew, and stays between its bounds`() throws {
    let times = try (0..<2).map { _ in try Self.delays(seed: 7) }
    #expect(times[0] == times[1])
    #expect(try Self.delays(seed: 8) != times[0])
    #expect(times[0][0] != times[0][1])
    for connection in times[0] {
      #expect(connection.allSatisfy { (10...80).contains($0) })
      #expect(Set(connection).count > 1)
    }
  }

  @Test func `jitter lets nothing overtake what left earlier`() throws {
    for connection in try Self.delays(seed: 7, apart: .zero) {
      #expect(connection == connection.sorted())
      #expect(connection.allSatisfy { (10...80).contains($0) })
    }
  }

  @Test func `the first of two jitters on a connection holds, and the second one draws nothing`() throws {
    let twice = Fault.jitter(.zero, .seconds(1))
    #expect(try Self.delays(seed: 7, and: [twice]) == Self.delays(seed: 7))
  }

  @Test func `jitter with its bounds the wrong way round is pointed at`() {
    let text = "rules:\n  - { fault: { jitter: { from: 80ms, to: 10ms } } }\n"
    let error = #expect(throws: DocumentError.self) { try ScenarioFile.script(text, name: "test.yaml") }
    #expect(
      error?.problems.map(\.message) == [
        "expected a duration of 80ms or more for the upper bound of a jitter, found 10ms"
      ]
    )
    #expect(error?.problems.first?.location.column == 42)
  }

  @Test func `an answer arrives within the bounds, the end after it, and the run replays exactly`()
    async throws
  {
    let path = NSTemporaryDirectory() + "apnsim-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var journal = ""
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.jitter(.milliseconds(10), .milliseconds(80))), connection: 1)
      $0.rule(.reply(Reply(status: .processingError, packet: .init(cut: .afterFirstByte))), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1))
      await test.waitForDeadlines(2)
      try test.advance(.milliseconds(9))
      try await test.fence()
      #expect(provider.spy.data.isEmpty && test.simulator.connections().first?.isOpen == true)
      try test.advance(.milliseconds(71))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(1, 1) && received.endedInOrder)
      #expect(provider.recordSizes == [1, 5])
      await test.server.stop()
      journal = test.journal.lines.joined(separator: "\n") + "\n"
    }
    try Data(journal.utf8).write(to: URL(fileURLWithPath: path))
    let replay = try Replay(CaptureReader(path: path))
    #expect(replay.isExact)
    let result = replay.run(observe: { _ in })
    #expect(result.isSame && result.firstDifference == nil && result.damage == nil)
  }

  /// The milliseconds that each of five answers is on its way, on each of two connections.
  private static func delays(
    seed: UInt64,
    apart: TimeSpan = .seconds(1),
    and others: [Fault] = []
  ) throws -> [[Int64]] {
    let start = Timestamp(seconds: 1_338_508_800)
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    scenario.rules = ([.jitter(.milliseconds(10), .milliseconds(80))] + others).map {
      Rule(action: .fault($0))
    }
    let simulator = try Simulator(
      configuration: Configuration(),
      scenario: scenario,
      seed: seed,
      start: start
    )
    return try (0..<2).map { _ in
      let provider = ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "")
      let connection = try simulator.openGateway(ConnectionOpening(peer: "", provider: provider), at: start)
      var output = OutputSchedule(connection.plan)
      return (Int64(0)..<5).flatMap { place in
        let departure = start + TimeSpan(milliseconds: apart.milliseconds * place)
        return output.pieces(of: 6, at: departure).map { ($0.arrival - departure).milliseconds }
      }
    }
  }
}
