import APNSimCore
import APNSimServer
import APNSimSystem
import APNSimWire
import Foundation
import SystemPackage
import Testing

@testable import apnsim

@Suite struct `Terminal output` {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-5000, "-5,000")])
  func `numbers are grouped`(number: Int, text: String) {
    #expect(Number.grouped(number) == text)
  }

  @Test func `columns are as wide as their widest cell`() {
    #expect(Table.lines([["a", "bb"], ["ccc", "d"]], indent: " ") == [" a    bb", " ccc  d"])
    #expect(
      Table.lines([["日本", "x"], ["e\u{301}👍🏽", "y"], ["five5", "z"]]) == ["日本   x", "é👍🏽    y", "five5  z"]
    )
  }

  @Test func `a progress bar shows share, counts and rate`() {
    #expect(
      ProgressBar.line(done: 5000, total: 10_000, noun: "notifications", elapsed: .seconds(2))
        == "[############------------]  50 %  5,000 of 10,000 notifications, 2,500 per second"
    )
  }

  @Test func `colour is for terminals only`() throws {
    let stream = try SystemFile("/dev/null", .readOnly)
    #expect(!Style.of(stream, isRefused: false, environment: [:]).isOn)
    #expect(TerminalText.safe(Style(isOn: true).paint("x", .red)) == "\u{1B}[31mx\u{1B}[0m")
    #expect(Style.plain.paint("x", .red) == "x")
  }

  @Test(arguments: [
    ("a\tb\nc", "a\tb\nc"), ("\u{1B}[31mred\u{1B}[0m", #"\u001b[31mred\u001b[0m"#),
    ("\u{1B}[2Jx", #"\u001b[2Jx"#),
    ("\u{1B}]0;t\u{7}", #"\u001b]0;t\u0007"#), ("a\u{9B}31m", #"a\u009b31m"#),
    ("\u{202E}txt.exe", #"\u202etxt.exe"#), ("a\u{2028}b", #"a\u2028b"#),
    ("\u{2066}a\u{2069}", #"\u2066a\u2069"#), ("a\r\nb\u{7F}", "a\\u000d\nb\\u007f"),
    ("caf\u{E9} 日本", "caf\u{E9} 日本"),
  ])
  func `nothing of a stranger's text is obeyed by a terminal`(text: String, shown: String) {
    #expect(TerminalText.safe(text) == shown)
  }

  @Test func `JSON stays what it is without control characters beyond ASCII`() throws {
    let value = JSONValue.object([.init(key: "a\u{85}", value: .string("\u{9B}1m\u{202E}\u{7F}\u{1B}"))])
    let lines = PrettyJSON.lines(value)
    #expect(try JSONValue.parse(lines.joined(separator: "\n")) == value)
    #expect(try JSONValue.parse(TerminalText.safe(value.description)) == value)
    let scalars = (lines.joined() + TerminalText.safe(value.description)).unicodeScalars
    #expect(scalars.allSatisfy { $0.properties.generalCategory != .control && $0.value < 0x7F })
  }

  @Test func `the banner shows where to connect`() {
    let banner = Banner(
      pairs: [Banner.Pair(gateway: "127.0.0.1:2195", feedback: "127.0.0.1:2196")],
      authority: "ca.pem",
      provider: ["certs/provider.pem", "certs/provider.p12"],
      topic: "com.example.app",
      seed: 42
    )
    #expect(
      banner.lines(.plain) == [
        "apnsim 0.2.0 · Apple Push Notification service simulator",
        "  gateway   binary, TLS   127.0.0.1:2195      feedback  binary, TLS  127.0.0.1:2196",
        "  CA        ca.pem      provider  certs/provider.pem  certs/provider.p12   topic com.example.app",
        "  seed      42",
        "  try       apnsim send --demo          stop  Ctrl-C",
      ]
    )
  }

  @Test func `the banner names the control API and, where there is one, the page`() {
    var banner = Banner(pairs: [], authority: "", provider: [], topic: "", seed: 1)
    banner.control = "http://127.0.0.1:2199"
    #expect(banner.lines(.plain)[1] == "  control   HTTP          http://127.0.0.1:2199")
    #expect(!banner.lines(.plain).contains { $0.hasPrefix("  page") })
    banner.page = "http://127.0.0.1:2199/"
    #expect(banner.lines(.plain)[2] == "  page      in a browser  http://127.0.0.1:2199/")
  }

  @Test func `the banner says how to find a server that is not in its usual place`() {
    var server = ServerConfiguration()
    #expect(Banner.place(host: "127.0.0.1", port: 2195, server).isEmpty)
    #expect(Banner.place(host: "127.0.0.1", port: 4711, server) == ["--port", "4711"])
    server.files.certificates = "mine"
    #expect(Banner.place(host: "::1", port: 2195, server) == ["--host", "::1", "--certs", "mine"])
    server.listening.environment = .sandbox
    #expect(
      Banner.place(host: "127.0.0.1", port: 2195, server)
        == ["--environment", "sandbox", "--port", "2195", "--certs", "mine"]
    )
    server.files.endpoints = "e.json"
    #expect(Banner.place(host: "127.0.0.1", port: 4711, server) == ["--endpoints-file", "e.json"])
    var banner = Banner(pairs: [], authority: "", provider: [], topic: "", seed: 1)
    banner.place = ["--port", "4711"]
    #expect(banner.lines(.plain).last == "  try       apnsim send --demo --port 4711          stop  Ctrl-C")
  }

  @Test func `the banner shows a second environment, a virtual clock and the scenario`() {
    let banner = Banner(
      pairs: [
        Banner.Pair(gateway: "127.0.0.1:1", feedback: "127.0.0.1:2"),
        Banner.Pair(gateway: "127.0.0.1:3", feedback: "127.0.0.1:4", environment: "sandbox"),
      ],
      authority: "ca.pem",
      provider: ["p.pem"],
      topic: "t",
      seed: 1,
      clock: "virtual",
      scenario: "a bad day"
    )
    #expect(
      banner.lines(.plain)[2]
        == "  sandbox   binary, TLS   127.0.0.1:3         feedback  binary, TLS  127.0.0.1:4"
    )
    #expect(banner.lines(.plain)[4] == "  seed      1      clock  virtual      scenario  a bad day")
  }

  @Test(arguments: [
    (["apnsim", "sned"], ["did you mean \"apnsim send\"?"]), (["apnsim", "--flag"], []),
    (["apnsim", "send"], []),
    (
      ["apnsim", "quite"],
      [
        "the subcommands are serve, exec, ready, send, feedback, device, channel, watch, wait, fault, clock, "
          + "connections, advice, reset, record, scenario, replay, inspect, diff, import, export, decode, tokens, certs; see \"apnsim --help\""
      ]
    ),
  ])
  func `an unknown subcommand gets a hint`(arguments: [String], hints: [String]) {
    #expect(UsageHint.hints(for: arguments) == hints)
  }

  @Test(arguments: [
    ("certs", "certs"), ("/a/b_c-1.json", "/a/b_c-1.json"), ("e p.json", "'e p.json'"), ("", "''"),
    ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("naïve.pem", "naïve.pem"),
  ])
  func `a word is quoted where a shell would take it for something else`(word: String, quoted: String) {
    #expect(ShellWord.quoted(word) == quoted)
  }
}
