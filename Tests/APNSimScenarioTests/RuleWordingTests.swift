import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
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

  /// The rules in the text of the documents, in backticks.
  private static var recommended: [String] {
    get throws {
      let folder = Fixtures.root.deletingLastPathComponent().appendingPathComponent("docs")
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      return try files.filter { $0.pathExtension == "md" }.flatMap { file in
        try String(contentsOf: file, encoding: .utf8).split(separator: "`").map(String.init)
          .filter { $0.hasPrefix("reply: ") || $0.hasPrefix("fault: ") || $0.hasPrefix("when: ") }
      }
    }
  }

  /// A status of 0 to 255 by itself is the binary interface's, which has none from 200 to 254.
  @Test
  func `a rule that a document recommends has no status of HTTP that the binary interface does not have`()
    throws
  {
    let recommended = try Self.recommended
    #expect(recommended.contains { $0.hasPrefix("fault: { slowAnswer:") })
    for text in recommended {
      guard case .reply(let reply) = try FaultBody.read(Self.json(text)).action else { continue }
      #expect(!(200..<255).contains(reply.status.rawValue), "\(text)")
    }
  }

  private static func json(_ text: String) throws -> String {
    var writer = JSONWriter()
    writer.value(try RuleText.json(text))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
