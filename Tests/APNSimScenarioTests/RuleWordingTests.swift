import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `A rule in one line` {
  @Test(
    arguments: [
      "when: {nth: 3}, reply: {status: 8, afterFrames: 20}, times: 1",
      "when: {device: bob, interface: http2}, reply: {reason: Unregistered, timestamp: 2h ago}, times: 1",
      "fault: {goaway: {lastStream: below, code: NO_ERROR, reason: Shutdown, then: open, twice: false}}",
      "when: {payload: {aps.badge: {gt: 99}}}, reply: {status: 1, delay: 300ms}",
      #"name: "yes, no: {maybe}", when: {topic: "true", device: "007"}, fault: swallow"#,
      #"when: {payload: {title: "a\u0085b\u009fc\ufeffd\u2028e\u007f"}}, fault: swallow"#,
    ]
  ) func `reads back as it is written`(text: String) throws {
    let rule = try FaultBody.read(Self.json(text))
    #expect(RuleText.text(rule) == text)
    #expect(try FaultBody.read(Self.json(RuleText.text(rule))) == rule)
  }

  private static func json(_ text: String) throws -> String {
    var writer = JSONWriter()
    writer.value(try RuleText.json(text))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
