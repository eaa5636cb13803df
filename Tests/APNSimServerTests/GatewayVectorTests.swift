import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Gateway vectors over TLS` {
  /// The core's tests cut each vector in every way; here each is cut in one.
  private static let cuts = GatewayVector.all.enumerated().map { index, vector in
    (vector, Cuts.all[1 + index % (Cuts.all.count - 1)])
  }

  /// Runs a server of its own for a vector, which must find its devices as they are.
  private func run(_ vector: GatewayVector, _ body: (TestServer, TestProvider) async throws -> Void)
    async throws
  {
    try await TestServer.run {
      $0.core = try vector.configuration()
      $0.scenario.devices = GatewayVector.devices
    } _: { test in
      try await body(test, test.gateway())
      await test.journal.wait(for: "connectionClosed")
      let accepted = test.simulator.notifications().filter(\.outcome.isAccepted).map(\.token)
      #expect(accepted == vector.expected.accepted)
    }
  }

  @Test(arguments: cuts)
  func `a vector gets its answer however its records are cut`(vector: GatewayVector, cuts: Cuts) async throws
  {
    try await run(vector) { _, provider in
      try await provider.send(pieces: cuts.pieces(of: vector.send))
      // Every byte is judged before the end of input is noticed, so this answer is the whole answer.
      try await provider.finish()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == vector.expected.reply)
      #expect(received.sawCloseNotify)
    }
  }

  @Test(arguments: GatewayVector.all)
  func `a connection ends by itself exactly after an error`(vector: GatewayVector) async throws {
    try await run(vector) { test, provider in
      try await provider.send(vector.send)
      if !vector.expected.closes { try await provider.finish() }
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == vector.expected.reply)
      #expect(received.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed")
      let isProviders = test.journal.events("connectionClosed").first?.contains("peerClosed")
      #expect(isProviders == !vector.expected.closes)
    }
  }
}
