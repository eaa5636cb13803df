import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Gateway vectors over TLS` {
  /// One server per configuration would do, but devices must be fresh for each vector.
  @Test(arguments: GatewayVector.all, [Cuts.whole, .everyByte, .seeded(11), .seeded(12)])
  func `a vector gets its answer however its records are cut`(vector: GatewayVector, cuts: Cuts) async throws
  {
    try await TestServer.run {
      $0.core = try vector.configuration()
      $0.scenario.devices = GatewayVector.devices
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(pieces: cuts.pieces(of: vector.send))
      // Every byte is judged before the end of input is noticed, so this answer is the whole answer.
      try await provider.finish()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == vector.expected.reply)
      #expect(received.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed")
      let accepted = test.simulator.notifications().filter(\.outcome.isAccepted).map(\.token)
      #expect(accepted == vector.expected.accepted)
    }
  }

  @Test func `a connection ends by itself exactly after an error`() async throws {
    for vector in GatewayVector.all {
      try await TestServer.run {
        $0.core = try vector.configuration()
        $0.scenario.devices = GatewayVector.devices
      } _: { test in
        let provider = try await test.gateway()
        try await provider.send(vector.send)
        if vector.expected.closes {
          let received = await provider.readToEndAndClose()
          #expect(received.bytes == vector.expected.reply, "\(vector)")
          #expect(received.sawCloseNotify, "\(vector)")
        } else {
          try await provider.finish()
          #expect(await provider.readToEndAndClose().bytes == [], "\(vector)")
          await test.journal.wait(for: "connectionClosed")
          #expect(test.journal.events("connectionClosed").first?.contains("peerClosed") == true, "\(vector)")
        }
      }
    }
  }
}
