import APNSimCore
import APNSimServer
import APNSimTestSupport
import Foundation
import Testing

/// Nothing of another connection stands between a batch and the fault that it sets off.
@Suite(.mustNotHang) struct `A recording of faults that strike after a count` {
  private static let providers = 60
  private static let faults: [Fault] = [
    .close(.afterFrames(10)), .reset(.afterFrames(10)), .stopReading(.afterFrames(10)),
    .close(.afterBytes(10 * frame(1).count)),
  ]

  @Test(arguments: [2, 4], faults)
  func `a recording of faults that strike after a count replays to itself, however many event loops wrote it`(
    loops: Int,
    fault: Fault
  ) async throws {
    let journal = try await Self.record(fault, loops: loops)
    try expectReplaysToItself(journal)
    // It is worth something: the fault struck every connection.
    #expect(journal.components(separatedBy: #""faultFired""#).count - 1 == Self.providers)
  }

  private static func record(_ fault: Fault, loops: Int) async throws -> String {
    var journal = ""
    try await TestServer.run({
      $0.server.capacity.loops = loops
      $0.server.listening.devicePort = 0
      $0.server.timing.linger = .milliseconds(200)
      var gateway = RuleMatch()
      gateway.listener = .gateway
      $0.scenario.rules = [Rule(when: gateway, action: .fault(fault))]
      let app = AppKey(topic: TestServer.topic, environment: .production)
      $0.scenario.devices = [
        DeviceSpecification(name: "online", apps: [AppSpecification(app: app, token: Frames.online)])
      ]
    }) { test in
      let device = try await TestDevice.connect(test, named: "online")
      try await device.say(#"{"apps":["\#(TestServer.topic)"]}"#)
      _ = await device.lines(1)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<providers { group.addTask { try await provider(of: test) } }
        try await group.waitForAll()
      }
      await device.connection.close()
      await test.server.stop()
      journal = test.journal.lines.joined(separator: "\n") + "\n"
    }
    return journal
  }

  /// One frame more than it takes, each written by itself.
  private static func provider(of test: TestServer) async throws {
    let provider = try await test.gateway()
    for number in UInt32(1)...11 {
      guard (try? await provider.send(frame(number))) != nil else { break }
    }
    try? await provider.finish()
    _ = await provider.readToEndAndClose()
  }

  private static func frame(_ number: UInt32) -> [UInt8] { Frames.enhanced(number, to: Frames.online) }
}
