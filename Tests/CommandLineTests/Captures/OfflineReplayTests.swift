import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct `Replaying offline by command` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func replay(_ arguments: String...) async throws -> Binary.Result {
    try await Binary.run(
      ["replay", Captures.path("clients.jsonl.gz"), "--offline"] + arguments,
      in: folder
    )
  }

  @Test func `a table has every verdict and answer, what was to be sent again, and the sum`() async throws {
    let done = try await replay("--format", "table")
    #expect(done.status == 0, "\(done.errors)")
    let lines = done.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.first?.hasSuffix("the same journal, byte for byte") == true && lines[1] == "")
    #expect(
      lines[2].split(separator: " ") == ["connection", "notification", "identifier", "verdict", "answer"]
    )
    #expect(lines.count { $0.contains("  0808") } == 1 && lines.count { $0.contains("  0805") } == 1)
    #expect(
      done.output.contains("  rejected 8 (magic token)  ")
        && done.output.contains("  rejected 5 (tokenSize)  ")
    )
    #expect(done.output.contains("resend report of c1: status 8 (Invalid token)\n  failed     00000002\n"))
    // Where nothing differs, the verdict is all, unless the table is asked for.
    let quiet = try await replay("--quiet")
    #expect(quiet.output == lines[0] + "\n")
    #expect(quiet.output.hasPrefix("11 notifications (") && quiet.errors == "")
    #expect(try await replay().output == quiet.output)
    let written = try await replay("-o", "table.txt")
    #expect(written.output == "")
    #expect(try String(contentsOfFile: folder.file("table.txt"), encoding: .utf8) == done.output)
  }

  @Test func `where something differs, the table follows the verdict by itself`() async throws {
    let scenario = try folder.write(
      "s.yaml",
      "rules: [{ name: no, when: { nth: 1 }, reply: { status: 7 } }]"
    )
    let done = try await replay("--scenario", scenario)
    let lines = done.output.split(separator: "\n").map(String.init)
    #expect(done.status == 1 && lines.first?.contains("difference") == true)
    #expect(lines.dropFirst().first?.hasPrefix("connection") == true)
    #expect(lines.contains { $0.contains("  recorded: ") })
  }

  @Test func `other settings end with 1 and the first difference in full`() async throws {
    let scenario = try folder.write(
      "s.yaml",
      "rules: [{ name: no, when: { nth: 1 }, reply: { status: 7 } }]"
    )
    let done = try await replay("--scenario", scenario, "--quiet")
    #expect(done.status == 1)
    #expect(done.errors.contains("replayed with other settings"))
    #expect(
      done.errors.contains("the first difference: the verdict on c1, notification n1")
    )
    #expect(done.errors.contains("  recorded:\n") && done.errors.contains("  replayed:\n"))
    #expect(done.errors.hasSuffix("    rejected, status 7\n"))
    #expect(done.output.contains("rejected") && done.output.contains("difference"))
  }

  @Test func `a feedback list that nothing explains is not compared; one that differs is shown in words`()
    async throws
  {
    let plain = Captures.path("clients-plain.pcapng")
    let made = try await Binary.run(["import", plain, "-o", "native.jsonl"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let alone = try await Binary.run(["replay", "native.jsonl", "--offline", "--quiet"], in: folder)
    #expect(
      alone.status == 0
        && alone.output.hasSuffix(" on 6 connections: the same answers where they can be compared\n")
    )
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

  @Test func `an end without a word is a difference in words`() async throws {
    let plain = Captures.path("clients-plain.pcapng")
    let made = try await Binary.run(["import", plain, "-o", "native.jsonl"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let scenario = try folder.write("s.yaml", "rules: [{ when: { connection: 2 }, fault: close }]")
    let arguments = ["replay", "native.jsonl", "--offline", "--scenario", scenario]
    let told = try await Binary.run(arguments + ["--quiet"], in: folder)
    #expect(told.status == 1 && told.output.hasSuffix(": 2 differences\n"), "\(told.output)")
    #expect(
      told.errors.hasSuffix(
        "the first difference: who ended the connection on c2, notification n5\n"
          + "  recorded:\n    ended by the provider\n  replayed:\n    ended by the service\n"
      ),
      "\(told.errors)"
    )
    let report = try JSONValue.parse(
      Array(try await Binary.run(arguments + ["--json"], in: folder).output.utf8)
    )
    #expect(
      report["firstDifference.kind"] == .string("ending")
        && report["firstDifference.connection"] == .string("c2")
    )
  }

  @Test func `a replay that cannot begin leaves the files as they are that it was to write`() async throws {
    let older = try folder.write("older.jsonl", "older\n")
    let header = #"{"apnsim":"journal","version":1,"settings":{"edition":"none"}}"#
    let capture = try folder.write("bad.jsonl", header + "\n")
    let done = try await Binary.run(
      ["replay", capture, "--offline", "--journal", older, "-o", older + ".txt"],
      in: folder
    )
    #expect(done.status == 78 && done.errors.contains("edition"), "\(done.errors)")
    #expect(try String(contentsOfFile: older, encoding: .utf8) == "older\n")
  }

  @Test func `stdin is one of the two captures of a diff, or neither`() async throws {
    let done = try await Binary.run(["diff", "-", "-"], in: folder)
    #expect(done.status == 64 && done.errors.contains("stdin can be read only once"), "\(done.errors)")
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
    let file = folder.file("replay.xml")
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

  @Test func `an answer that leaves later is shown with the notification that it is for`() async throws {
    let reply = "reply: { status: 7, identifier: wrong, delay: 1h }"
    let scenario = try folder.write("s.yaml", "rules: [{ when: { nth: 2 }, \(reply) }]")
    let table = try await replay("--scenario", scenario)
    #expect(table.output.contains(" 0807fffffffe later  recorded: delivered"), "\(table.output)")
    let json = try await replay("--scenario", scenario, "--json")
    #expect(json.output.contains(#""answer":"0807fffffffe","answerWaits":true"#), "\(json.output)")
    let junit = try await replay("--scenario", scenario, "--format", "junit")
    #expect(junit.output.contains(", answered 0807fffffffe later</system-out>"), "\(junit.output)")
  }

  @Test func `a scenario's settings count, and --quiet changes nothing but how much is said`() async throws {
    let scenario = try folder.write("s.yaml", "settings: { magicTokens: off }")
    let whole = try await replay("--scenario", scenario)
    let quiet = try await replay("--scenario", scenario, "--quiet")
    #expect(whole.status == 1 && quiet.status == 1)
    #expect(whole.output.hasPrefix(quiet.output) && quiet.output.contains("difference"))
    #expect(whole.errors == quiet.errors)
    let settled = try await replay("--scenario", scenario, "--magic-tokens", "on", "--quiet")
    // The scenario has no feedback, and that is all that is different.
    #expect(settled.output.hasSuffix(": 1 difference\n") && settled.errors.contains("on c6"), "\(settled)")
  }

  @Test func `what could not be compared is said in every form`() async throws {
    let header = #"{"apnsim":"journal","version":1,"source":{"kind":"pcap","name":"x"}}"#
    let lines = [
      #""connectionOpened","connection":"c1","listener":"gateway","provider":{"topic":"a.b"}}"#,
      #""bytesMissing","connection":"c1","direction":"out","count":6}"#,
      #""connectionClosed","connection":"c1","reason":"simulatorClosed"}"#,
    ].enumerated().map { #"{"seq":\#($0 + 1),"time":"2012-06-01T00:00:00.000Z","event":"# + $1 }
    let file = try folder.write("gap.jsonl", ([header] + lines).joined(separator: "\n") + "\n")
    func replay(_ format: String) async throws -> Binary.Result {
      try await Binary.run(["replay", file, "--offline", "--format", format], in: folder)
    }
    let table = try await replay("table")
    #expect(table.status == 0 && table.output.hasSuffix("the same answers where they can be compared\n"))
    #expect(table.errors.contains("\n6 bytes of answers missing from the capture\n"))
    #expect(table.errors.contains("\n1 connection not compared: some of its bytes are missing\n"))
    #expect(try await replay("json").output.contains(#""missingAnswerBytes":6,"uncomparedConnections":1"#))
    let junit = try await replay("junit").output
    #expect(
      junit.contains(#"<skipped message="1 connection not compared"#) && junit.contains(#"skipped="1""#)
    )
  }

  @Test func `damage and what is unknown are said in every form`() async throws {
    let header = #"{"apnsim":"journal","version":1,"source":{"kind":"pcap","name":"x"}}"#
    let line = #"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"newsOfLater"}"#
    let file = try folder.write("cut.jsonl", [header, line, #"{"seq":2,"ti"#].joined(separator: "\n"))
    func replay(_ format: String) async throws -> String {
      try await Binary.run(["replay", file, "--offline", "--format", format], in: folder).output
    }
    let junit = try await replay("junit")
    for name in ["what comes after the damage", "what is unknown to this version"] {
      #expect(junit.contains(#"<testcase classname="capture" name="\#(name)" time="0"><skipped"#), "\(junit)")
    }
    #expect(junit.contains(#"<skipped message="no answers are recorded to compare with"/>"#))
    #expect(junit.contains(#"skipped="3""#))
    #expect(try await replay("json").contains(#""unknownEvents":{"newsOfLater":1},"unknownKeys":{}"#))
  }

  @Test func `a recording from now on says where it begins, and is replayed without a difference`()
    async throws
  {
    let server = try await RunningServer.start(in: folder)
    let push = try folder.write("push.apns", #"{"aps":{"alert":"hi"}}"#)
    let send = ["send", push, "--timeout", "0.3", "--to", String(repeating: "11", count: 32)]
    #expect(try await server.run(send).status == 0)
    let recording = try await Binary.start(
      ["record", "-", "--from-now", "--count", "3", "--endpoints-file", server.endpointsFile],
      in: folder
    )
    var lines = [try #require(await recording.line())]
    #expect(try await server.run(send).status == 0)
    while let line = await recording.line() { lines.append(line) }
    #expect(try await recording.status() == 0)
    #expect(try await server.stop() == 0)
    let header = try JSONValue.parse(Array(try #require(lines.first).utf8))
    let first = try JSONValue.parse(Array(try #require(lines.dropFirst().first).utf8))
    #expect(header.member("completeFrom") == first.member("seq") && header["clock.now"] != nil)
    #expect(first.member("seq") != .number("1"))
    let file = try folder.write("later.jsonl", lines.joined(separator: "\n") + "\n")
    let done = try await Binary.run(["replay", file, "--offline"], in: folder)
    #expect(done.status == 0 && done.errors.contains("the recording begins in the middle"), "\(done)")
    #expect(done.output.contains("the same answers"))
  }

  /// The lines of a journal that ships.
  private func lines() async throws -> [String] {
    let unzipped = try await Binary.run(
      ["replay", Captures.path("clients.jsonl.gz"), "--offline", "--quiet", "--journal", "whole.jsonl"],
      in: folder
    )
    #expect(unzipped.status == 0)
    return try String(contentsOfFile: folder.file("whole.jsonl"), encoding: .utf8).split(separator: "\n")
      .map(String.init)
  }

  @Test func `missing lines are named by replay and diff, and no difference`() async throws {
    var left = try await lines()
    left.removeSubrange(5...7)
    let file = try folder.write("left.jsonl", left.joined(separator: "\n") + "\n")
    let done = try await Binary.run(["replay", file, "--offline", "--quiet"], in: folder)
    #expect(done.status == 0 && done.output.hasSuffix(": the same up to the missing lines\n"))
    #expect(
      done.errors == "\(file):6: events 5 to 7 are missing; nothing from there on is compared\n",
      "\(done.errors)"
    )
    let json = try await Binary.run(["replay", file, "--offline", "--json"], in: folder)
    let report = try JSONValue.parse(Array(json.output.utf8))
    #expect(report["missingLines.0.expected"]?.intValue == 5 && report["missingLines.0.found"]?.intValue == 8)
    let whole = folder.file("whole.jsonl")
    let diff = try await Binary.run(["diff", whole, file], in: folder)
    #expect(diff.output.contains("\nB  events 5 to 7 are missing\n"), "\(diff.output)")
    let told = try await Binary.run(["diff", whole, file, "--json"], in: folder)
    let gaps = try JSONValue.parse(Array(told.output.utf8))
    #expect(gaps["b.missingLines.0.line"]?.intValue == 6 && gaps.member("a")?.member("missingLines") == nil)
  }

  @Test func `a key of a later version is skipped, and named`() async throws {
    var lines = try await lines()
    lines[3] = lines[3].dropLast() + #","colour":"red"}"#
    let file = try folder.write("later.jsonl", lines.joined(separator: "\n") + "\n")
    let done = try await Binary.run(["replay", file, "--offline", "--quiet"], in: folder)
    #expect(done.status == 0 && done.output.hasSuffix(": the same answers\n"), "\(done)")
    #expect(done.errors.hasPrefix("skipped the unknown key \"colour\" on 1 line\n"), "\(done.errors)")
  }

  @Test func `a journal whose lines were given other ends replays to the same one`() async throws {
    let unzipped = try await Binary.run(
      ["replay", Captures.path("clients.jsonl.gz"), "--offline", "--quiet", "--journal", "lf.jsonl"],
      in: folder
    )
    #expect(unzipped.status == 0)
    let text = try String(contentsOfFile: folder.file("lf.jsonl"), encoding: .utf8)
    let file = try folder.write("crlf.jsonl", text.replacing("\n", with: "\r\n"))
    let done = try await Binary.run(["replay", file, "--offline", "--quiet"], in: folder)
    #expect(done.status == 0 && done.output.hasSuffix("the same journal, byte for byte\n"), "\(done)")
  }

  @Test func `settings are for a replay offline`() async throws {
    for arguments in [
      ["--edition", "guide"], ["--quiet"], ["--scenario", "s.yaml"], ["--topic", "com.example.app"],
    ] {
      let done = try await Binary.run(
        ["replay", Captures.path("clients.jsonl.gz"), "--to", "127.0.0.1:1"] + arguments,
        in: folder
      )
      #expect(done.status == 64 && done.errors.contains("\(arguments[0]) is for --offline"), "\(done.errors)")
    }
  }

  @Test func `pace and certificate are for a replay over the network`() async throws {
    for arguments in [
      ["--speed", "1x"], ["--join"], ["--timeout", "5s"], ["--cert", "provider.pem"], ["--no-feedback"],
      ["--certs", "nowhere"], ["--ca", "nofile"], ["--insecure"],
    ] {
      let done = try await Binary.run(
        ["replay", Captures.path("clients.jsonl.gz"), "--offline"] + arguments,
        in: folder
      )
      #expect(done.status == 64 && done.errors.contains("\(arguments[0]) is for --to"), "\(done.errors)")
    }
  }

  @Test func `a replay goes one way`() async throws {
    let capture = Captures.path("clients.jsonl.gz")
    let both = try await Binary.run(["replay", capture, "--offline", "--to", "127.0.0.1:1"], in: folder)
    #expect(
      both.status == 64 && both.errors.contains("--offline and --to exclude each other"),
      "\(both.errors)"
    )
  }

  @Test func `one result has one format`() async throws {
    let command = ["replay", Captures.path("clients.jsonl.gz"), "--offline", "--json", "--format"]
    for format in ["junit", "table"] {
      let refused = try await Binary.run(command + [format], in: folder)
      #expect(
        refused.status == 64 && refused.errors.contains("--json and --format \(format)"),
        "\(refused.errors)"
      )
    }
    #expect(try await Binary.run(command + ["json"], in: folder).status == 0)
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
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(file)))
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

/// A report, as an XML parser reads it.
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
