import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import APNSimControl

@Suite struct `Idle connections of the control API` {
  @Test func `make way for a request that waits to come in`() async throws {
    var limits = ControlLimits()
    limits.connections = 8
    try await TestControl.run(limits: limits) { test in
      var silent: [any Channel] = []
      for _ in 0..<24 {
        silent.append(
          try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: test.http.port).get()
        )
      }
      let begin = ContinuousClock.now
      #expect(try await test.http(.GET, "/livez").status == 200)
      // Without this it would wait for the two minutes of a silent connection.
      #expect(ContinuousClock.now - begin < .seconds(30))
      for channel in silent { try? await channel.close().get() }
    }
  }
}
