import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `A rule outside of a scenario file` {
  @Test func `a rule outside of a scenario file may name a device that nothing has added yet`() throws {
    let text = "when: {device: bob}, reply: {status: 8}, times: 1"
    let json = try RuleText.json(text).description
    #expect(json == #"{"when":{"device":"bob"},"reply":{"status":8},"times":1}"#)
    #expect(try FaultBody.read(json).when.device == .equals(.string("bob")))
  }
}
