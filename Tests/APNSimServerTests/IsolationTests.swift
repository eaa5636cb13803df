import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Many providers at once` {
  @Test func `two hundred topics do not see each other's devices and feedback`() async throws {
    let count = 200
    let key = try PrivateKey.generate(.p256)
    try await TestServer.run { options in
      options.core.tokens = .known
      for number in 0..<count {
        let app = AppKey(topic: Self.topic(number), environment: .production)
        options.scenario.devices.append(
          DeviceSpecification(
            name: "device \(number)",
            apps: [AppSpecification(app: app, token: Self.token(number))]
          )
        )
        options.scenario.feedback.append(
          FeedbackSpecification(
            subject: .token(Self.token(number)),
            app: app,
            moment: .at(Timestamp(seconds: 1_300_000_000))
          )
        )
      }
    } _: { test in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask {
            let identity = try TestPKI.provider(Self.topic(number), key: key)
            try await Self.check(test, identity, number, neighbour: (number + 1) % count)
          }
        }
        try await group.waitForAll()
      }
      await test.journal.wait(for: "connectionClosed", count: 2 * count)
      #expect(test.simulator.apps().count == count)
      for number in 0..<count {
        #expect(test.simulator.inbox(of: "device \(number)")?.notifications.count == 3)
      }
    }
  }

  /// Three for its own device, then one for a neighbour's, which is nobody's here; then its own feedback.
  private static func check(
    _ test: TestServer,
    _ identity: TLSIdentity,
    _ number: Int,
    neighbour: Int
  ) async throws {
    let gateway = try await test.gateway(identity)
    let own = (1...3).flatMap { Frames.enhanced($0, to: token(number)) }
    try await gateway.send(own + Frames.enhanced(4, to: token(neighbour)))
    #expect(await gateway.readToEndAndClose().bytes == Frames.response(8, 4))
    let bytes = await (try await test.feedback(identity)).readToEndAndClose().bytes
    #expect(FeedbackTupleDecoder.tuples(in: bytes).map(\.token) == [token(number)])
  }

  private static func topic(_ number: Int) -> String { "com.example.app\(number)" }

  private static func token(_ number: Int) -> [UInt8] {
    [UInt8](repeating: 0xAB, count: 30) + [UInt8(number >> 8), UInt8(number & 255)]
  }
}
