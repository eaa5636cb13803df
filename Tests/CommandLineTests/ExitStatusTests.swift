import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `Exit codes` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Binary.Result
  {
    try await Binary.run(arguments, in: folder, environment: environment)
  }

  @Test func `78 for a key of redaction that cannot be read`() async throws {
    let done = try await run(
      "serve",
      "--ephemeral",
      "--record",
      "r.jsonl",
      "--redact",
      "--redact-key",
      "nofile"
    )
    #expect(done.status == 78 && done.errors.contains("nofile: cannot be read"), "\(done.errors)")
  }

  @Test func `0 for version, help and completions, on stdout`() async throws {
    let version = try await run("--version")
    #expect(version.status == 0)
    #expect(version.output == "0.2.0\n")
    let help = try await run("serve", "--help")
    #expect(help.status == 0)
    #expect(help.output.contains("silentParseErrors") && help.output.contains("TN2265"))
    let script = try await run("--generate-completion-script", "bash")
    #expect(script.status == 0)
    #expect(script.output.contains("complete"))
  }

  @Test func `64 for arguments that nobody expects, of which the first are shown`() async throws {
    let result = try await Binary.run(["certs", "list"] + (1...112).map { "\($0).yaml" }, in: folder)
    #expect(result.status == 64)
    let expected =
      "apnsim: error: 112 unexpected arguments: '1.yaml', '2.yaml', '3.yaml' and 109 more\nUsage: "
    #expect(result.errors.hasPrefix(expected), "\(result.errors)")
    let few = try await run("certs", "list", "a", "b")
    #expect(few.errors.hasPrefix("apnsim: error: 2 unexpected arguments: 'a', 'b'\nUsage: "), "\(few.errors)")
  }

  @Test func `64 for an option that is none, with a suggestion only where one is near`() async throws {
    let far = try await run("serve", "--foo")
    #expect(
      far.status == 64 && far.errors.hasPrefix("apnsim: error: Unknown option '--foo'\nUsage: "),
      "\(far.errors)"
    )
    let near = try await run("serve", "--hots", "x")
    #expect(near.errors.hasPrefix("apnsim: error: Unknown option '--hots'. Did you mean '--host'?\n"))
  }

  #if os(Linux)
    @Test(arguments: [
      "send --demo", "send --demo --api http2", "feedback read", "device connect --app com.a", "certs jwt",
      "certs list",
    ])
    func `78 for certificates that may not be read, which are not missing`(line: String) async throws {
      let closed = folder.file("closed")
      try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: false)
      chmod(closed, 0)
      defer { chmod(closed, 0o700) }
      // Root may read everything, unless it gives that up.
      let become = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : ""
      let result = try await Binary.shell("\(become)apnsim \(line) --certs closed", in: folder)
      #expect(result.status == 78 && result.errors.hasPrefix("apnsim: error: closed/"), "\(result.errors)")
      #expect(result.errors.contains(": cannot be read: Permission denied\nhint: it is another user's: "))
    }
  #endif

  @Test func `64 for usage`() async throws {
    let unknown = try await run("--frobnicate")
    #expect(unknown.status == 64)
    #expect(unknown.errors.hasPrefix("apnsim: error: Unknown option '--frobnicate'"))
    #expect(unknown.output.isEmpty)
    let mistyped = try await run("sned")
    #expect(mistyped.status == 64)
    #expect(mistyped.errors.hasSuffix("hint: did you mean \"apnsim send\"?\n"))
    let unhelped = try await run("help", "sned")
    #expect(unhelped.status == 64)
    #expect(unhelped.errors.hasSuffix("hint: did you mean \"apnsim send\"?\n"))
    #expect(try await run("help", "device", "ad").status == 64)
    #expect(try await run("help", "device", "add").output.contains("--quiet"))
    #expect(try await run("serve", "--edition", "2018").status == 64)
    #expect(try await run("send", "--demo", "--to", "abc").status == 64)
  }

  @Test(arguments: [
    ("clock advance -2h", #"there is no option "-2h"; put a value that begins with - after --"#),
    ("clock set -1h", #"there is no option "-1h""#),
    ("clock advance -- -2h", #"expected a duration such as 90s, 10m, 2h or 28d, found "-2h""#),
    ("clock advance -90s", "Missing expected argument '<duration>'"),
    ("wait --timeout 11m", "--timeout: expected at most 10m, found 11m"),
    ("wait --since x", #"--since: expected a notification's id such as n57, or now, found "x""#),
    ("device list --sandbox ", "--sandbox: expected the name of a sandbox such as s1, found an empty one"),
    ("certs issue com\u{A0}y", "expected a topic of 1 to 255 bytes without spaces"),
    ("fault add --nth 0 --status 8", "--nth: expected a whole number of 1 or more for \"nth\", found 0"),
    ("fault add --nth 3", "expected --status, --reason or --fault"),
    ("fault add --status 8 --probability 2", "--probability: expected a number from 0 to 1"),
    ("fault add --status 8 --fault close", "expected --status or --reason, or --fault; found both"),
    (
      "fault add --fault close --delay 1s",
      "--after-frames and --delay require --status or --reason, not --fault"
    ),
    ("fault add --nth 3 --delay 1s", "--delay requires --status or --reason"),
    ("fault add --reason TooManyRequest", "--reason: "),
    ("fault add --fault swalow", "--fault: "), ("fault add --fault {", "not readable"),
  ])
  func `64 for a value that cannot be, with the flag that has it`(line: String, expected: String) async throws
  {
    let result = try await Binary.run(
      line.split(separator: " ", omittingEmptySubsequences: false).map { String($0) },
      in: folder
    )
    #expect(result.status == 64)
    #expect(result.errors.contains(expected), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test func `help is there for who asks for it`() async throws {
    for words in [
      ["clock", "advance", "-h"], ["help", "clock", "advance"], ["clock", "advance", "--help"],
    ] {
      let help = try await Binary.run(words, in: folder)
      #expect(help.status == 0)
      #expect(help.output.contains("Move the clock forward"))
    }
  }

  @Test func `69 when nobody listens`() async throws {
    #expect(try await run("certs", "init", "--key-type", "ec").status == 0)
    let result = try await run("send", "--demo", "--port", "1")
    #expect(result.status == 69)
    #expect(
      result.errors.hasPrefix("apnsim: error: cannot connect to 127.0.0.1:1: connection refused\nhint: ")
    )
    #expect(try await run("feedback", "read", "--port", "1").status == 69)
  }

  @Test func `73 when a file cannot be written`() async throws {
    let result = try await run(
      "serve",
      "--ephemeral",
      "--certs",
      TestCertificates.path,
      "--endpoints-file",
      "/nonexistent/endpoints.json"
    )
    #expect(result.status == 73)
    #expect(result.errors.hasPrefix("apnsim: error: "))
  }

  @Test func `78 for a bad scenario, with line and caret`() async throws {
    let file = try folder.write("bad.yaml", "version: 1\ndevices:\n  alice: { tokn: aa }\n")
    let result = try await run("serve", "--scenario", file)
    #expect(result.status == 78)
    #expect(
      result.errors == """
        \(file):3:12: error: unknown key "tokn" in a device; known keys: token, apps, online, installed and languages
            alice: { tokn: aa }
                     ^~~~
          did you mean "token"?

        """
    )
  }

  @Test func `78 for a bad configuration, environment or certificate`() async throws {
    #expect(try await run("serve", "--config", "nowhere.yaml").status == 78)
    #expect(try await run("serve", environment: ["APNSIM_EDITION": "2018"]).status == 78)
    let certificate = try folder.write("broken.pem", "not a certificate")
    let result = try await run("send", "--demo", "--cert", certificate, "--insecure")
    #expect(result.status == 78)
    #expect(result.errors.contains(certificate))
  }
}
