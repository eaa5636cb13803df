import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Testing

@testable import APNSimCapture

@Suite struct `A replay whose gateway reads less than the recorded one` {
  /// Three notifications that were delivered, the last of two connections with a bad one between them.
  private func lines() throws -> [String] {
    let good = [1, 2, 3].flatMap { NativeCapture.frame($0) }
    let bad = NativeCapture.frame(1) + NativeCapture.frame(2, to: [1, 2, 3]) + NativeCapture.frame(3)
    return try NativeCapture.lines([good, bad])
  }

  private func replay(_ lines: [String], rule: String) throws -> ReplayResult {
    var options = ReplayOptions()
    options.scenario = try ScenarioFile.parse("rules: [\(rule)]", name: "test.yaml")
    return try Replay(NativeCapture.reader(lines), options: options).run()
  }

  @Test(arguments: ["blackHole", "{ refuseHandshake: revoked }", "closeAfterHandshake"])
  func `a replay differs in each notification that its gateway does not read`(fault: String) throws {
    let result = try replay(try lines(), rule: "{ when: {}, fault: \(fault) }")
    #expect(result.notifications == 0)
    // Three of the one connection and two of the other, of which the third was discarded, and its error response.
    #expect(result.differences == 6)
    #expect(result.firstDifference?.kind == .verdict && result.firstDifference?.notification == "n1")
    #expect(result.firstDifference.map { String(decoding: $0.recorded, as: UTF8.self) } == "delivered")
    #expect(result.firstDifference.map { String(decoding: $0.replayed, as: UTF8.self) } == "not read")
  }

  @Test func `a replay differs from where on its gateway stops reading`() throws {
    let result = try replay(try lines(), rule: "{ when: {}, fault: { close: { afterFrames: 2 } } }")
    #expect(result.outcomes == [.delivered: 3, .rejected: 1, .discarded: 1])
    #expect(result.differences == 1 && result.firstDifference?.notification == "n3")
  }

  @Test func `a replay differs also in what stands on connections that the recording left open`() throws {
    let lines = try NativeCapture.lines([[1, 2, 3].flatMap { NativeCapture.frame($0) }])
    #expect(lines.last?.contains("connectionClosed") == true)
    let result = try replay(Array(lines.dropLast()), rule: "{ when: {}, fault: blackHole }")
    #expect(result.differences == 3)
  }

  @Test func `a replay asks a rule about the handshake once for each connection`() throws {
    let result = try replay(
      try lines(),
      rule: "{ when: { connection: 2 }, fault: { refuseHandshake: expired } }"
    )
    #expect(result.notifications == 3)
    #expect(result.firstDifference?.notification == "n4")
  }

  @Test func `a replay says nothing of what stands after missing lines`() throws {
    let lines = try lines()
    let without = lines.filter { !$0.contains(#""event":"connectionOpened""#) }
    let result = try replay(without, rule: "{ when: {}, fault: blackHole }")
    #expect(result.isSame)
  }

  @Test func `a replay takes no verdict of another setting for a proof that a token was issued`() throws {
    var options = ReplayOptions()
    options.settings = [SettingAssignment(name: "tokens", text: "issued")]
    let result = try Replay(NativeCapture.reader(try lines()), options: options).run()
    #expect(result.outcomes[.delivered] == nil)
    #expect(result.outcomes[.rejected] == 2)
  }
}
