import APNSimWire
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct `Replaying offline by command` {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func replay(_ arguments: String...) async throws -> Binary.Result {
    try await Binary.run(
      ["replay", Captures.path("clients.jsonl.gz"), "--offline"] + arguments,
      in: folder
    )
  }

  @Test func `a table has every verdict and answer, what was to be sent again, and the sum`() async throws {
    let done = try await replay()
    #expect(done.status == 0, "\(done.errors)")
    let lines = done.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines.first?.split(separator: " ") == ["connection", "notification", "identifier", "verdict", "answer"]
    )
    #expect(lines.count { $0.contains("  0808") } == 1 && lines.count { $0.contains("  0805") } == 1)
    #expect(done.output.contains("resend report of c1: status 8 (Invalid token)\n  failed     00000002\n"))
    #expect(lines.dropLast().last?.hasSuffix("the same journal, byte for byte") == true)
    let quiet = try await replay("--quiet")
    #expect(quiet.output == lines.suffix(2).joined(separator: "\n"))
    #expect(quiet.output.hasPrefix("11 notifications (") && quiet.errors == "")
  }

  @Test func `other settings end with 1 and the first difference in full`() async throws {
    let scenario = try folder.write(
      "s.yaml",
      "rules: [{ name: no, when: { nth: 1 }, reply: { status: 7 } }]"
    )
    let done = try await replay("--scenario", scenario, "--quiet")
    #expect(done.status == 1)
    #expect(done.errors.contains("replayed with other settings"))
    #expect(done.errors.contains("the first difference: what went to the provider on c1"))
    #expect(done.errors.contains("  recorded:\n") && done.errors.contains("  replayed:\n"))
    #expect(done.errors.contains("status      7, Invalid payload size"))
    #expect(done.output.contains("rejected") && done.output.contains("difference"))
  }

  @Test func `a feedback list that nothing explains is not compared; one that differs is shown in words`()
    async throws
  {
    let plain = Captures.path("clients-plain.pcapng")
    let made = try await Binary.run(["import", plain, "-o", "native.jsonl"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let alone = try await Binary.run(["replay", "native.jsonl", "--offline", "--quiet"], in: folder)
    #expect(alone.status == 0 && alone.output.hasSuffix(" on 6 connections: the same answers\n"))
    #expect(alone.errors.contains("1 feedback list not compared"))

    let listed = String(repeating: "01", count: 32)
    let scenario = try folder.write(
      "s.yaml",
      "feedback: [{ app: com.example.app, token: \(listed), at: 2012-06-01T00:00:00Z }]"
    )
    let explained = try await Binary.run(
      ["replay", "native.jsonl", "--offline", "--quiet", "--scenario", scenario],
      in: folder
    )
    #expect(explained.status == 1 && !explained.errors.contains("not compared"))
    #expect(
      explained.errors.hasSuffix("  replayed:\n    2012-06-01T00:00:00.000Z  \(listed)\n"),
      "\(explained.errors)"
    )
  }

  @Test func `JSON is one object with all of it`() async throws {
    let done = try await replay("--json")
    let report = try JSONValue.parse(Array(done.output.utf8))
    let notifications = try #require(report.member("notifications")?.arrayValue)
    #expect(notifications.count == 11 && report.member("total")?.intValue == 11)
    let rejected = notifications.filter { $0.member("outcome")?.stringValue == "rejected" }
    #expect(rejected.count == Int(try #require(report["outcomes.rejected"]?.intValue)))
    for notification in rejected {
      let answer = try #require(notification.member("answer")?.stringValue)
      #expect(answer.hasSuffix(try #require(notification.member("identifier")?.stringValue)))
    }
    #expect(report.member("same") == .bool(true) && report.member("comparesJournal") == .bool(true))
    #expect(report.member("resend")?.arrayValue?.isEmpty == false)
  }

  @Test(arguments: [false, true])
  func `JUnit has a case a notification, and counts that are true`(isDifferent: Bool) async throws {
    let file = folder.path("replay.xml")
    let rule = "rules: [{ name: \"<&>\", when: { nth: 2 }, reply: { status: 7 } }]"
    let scenario = try folder.write("s.yaml", rule)
    let other = isDifferent ? ["--scenario", scenario] : []
    let done = try await Binary.run(
      ["replay", Captures.path("clients.jsonl.gz"), "--offline", "--format", "junit", "-o", file] + other,
      in: folder
    )
    #expect(done.status == (isDifferent ? 1 : 0) && done.output == "")
    let report = JUnitReport()
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: file)))
    parser.delegate = report
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let suite = try #require(report.suite)
    #expect(suite["name"]?.hasSuffix("clients.jsonl.gz") == true)
    #expect(report.cases == 12 && suite["tests"] == "12" && suite["errors"] == "0")
    #expect(suite["failures"] == "\(report.failures)" && (report.failures > 0) == isDifferent)
    #expect(suite["time"].flatMap { Double($0) } != nil && suite["timestamp"]?.count == 19)
    #expect(report.text.contains("answered 08") && report.text.contains("resend report of c"))
  }

  @Test func `a recording is compressed and redacted as it is written, and exact`() async throws {
    let server = try await RunningServer.start(["--record", "r.jsonl.gz", "--redact"], in: folder)
    let token = String(repeating: "5ec2e7", count: 10) + "0000"
    let push = try folder.write("push.apns", #"{"aps":{"alert":"top secret"}}"#)
    _ = try await server.run(["send", push, "--timeout", "0.3", "--to", token])
    let live = try await Binary.run(
      ["record", "live.jsonl", "--redact", "--count", "3", "--endpoints-file", server.endpointsFile],
      in: folder
    )
    #expect(live.status == 0, "\(live.errors)")
    #expect(try await server.stop() == 0)
    let exact = try await Binary.run(["replay", "r.jsonl.gz", "--offline"], in: folder)
    #expect(exact.status == 0 && exact.output.hasSuffix("the same journal, byte for byte\n"), "\(exact)")
    let secrets = [Array(token.utf8), Array("top secret".utf8), Hex.decode(token) ?? []]
    for file in ["r.jsonl.gz", "live.jsonl"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(file)))
      #expect(file.hasSuffix(".gz") == data.starts(with: [0x1F, 0x8B]))
      let shown = try await Binary.run(["import", file, "-o", "-"], in: folder).output
      #expect(shown.contains(#""event":"#))
      let lines = try shown.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
      for line in lines {
        let raw = line.member("raw")?.stringValue ?? line.member("bytes")?.stringValue ?? ""
        for secret in secrets {
          #expect((Base64.decode(raw) ?? []).firstRange(of: secret) == nil)
          #expect(Array(line.description.utf8).firstRange(of: secret) == nil)
        }
      }
    }
  }
}

/// What an XML parser finds in a report.
private final class JUnitReport: NSObject, XMLParserDelegate {
  var suite: [String: String]?
  var cases = 0
  var failures = 0
  var text = ""

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    switch name {
    case "testsuite": suite = attributes
    case "testcase": cases += 1
    case "failure": failures += 1
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
