import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `apnsim scenario` {
  private let folder: TemporaryDirectory
  private static let shipped = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("fixtures/scenarios").path

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> Binary.Result {
    try await Binary.run(["scenario"] + arguments, in: folder)
  }

  private func file(_ name: String) -> String { Self.shipped + "/" + name + ".yaml" }

  @Test func `check says what a good file contains, with status 0`() async throws {
    let result = try await run("check", file("bad-token-in-a-burst"))
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("3 rules, 2 timeline actions, 2 traffic steps, 3 expectations\n"))
    let json = try await run("check", file("bad-token-in-a-burst"), "--json")
    #expect(json.output.contains(#""rules":3"#))
  }

  @Test func `check says where a bad file is wrong, with status 78`() async throws {
    let path = try folder.write("bad.yaml", "rules:\n  - { when: { nth: 3 }, replay: 8 }\n")
    let result = try await run("check", path)
    #expect(result.status == 78)
    #expect(result.errors.contains("bad.yaml:2:25: error: unknown key \"replay\" in a rule"))
    #expect(result.errors.contains("did you mean \"reply\"?"))
    #expect(try await run("run", path).status == 78)
    #expect(try await run("check", folder.file("none.yaml")).status == 78)
  }

  @Test func `run --listen has the certificates that the environment names`() async throws {
    let path = try folder.write("good.yaml", "devices: { bob: { apps: [com.a] } }")
    let done = try await Binary.shell(
      "APNSIM_CERTS='\(TestCertificates.path)' apnsim scenario run '\(path)' --listen --timeout 1ms && test ! -e certs",
      in: folder
    )
    #expect(done.status == 0, "\(done.errors)")
  }

  @Test func `names give the terminal no commands`() async throws {
    let path = try folder.write("loud.yaml", "name: \"n\\e[31m\"")
    let done = try await run("run", path)
    #expect(done.status == 0 && done.output.hasPrefix("n\u{FFFD}[31m · seed"), "\(done.errors)")
  }

  @Test func `check says of each of several files what it contains; the worst decides the status`()
    async throws
  {
    let good = try folder.write("good.yaml", "devices: { bob: { apps: [com.a] } }")
    let bad = try folder.write("bad.yaml", "devces: {}")
    let both = try await run("check", good, bad, good)
    #expect(both.status == 78 && both.output == "\(good): valid: 1 device\n\(good): valid: 1 device\n")
    #expect(both.errors.hasPrefix("\(bad):1:1: error: unknown key"), "\(both.errors)")
    let fine = try await run("check", good, file("bad-token"))
    #expect(
      fine.status == 0 && fine.output.hasPrefix("\(good): valid: 1 device\n\(file("bad-token")): valid: ")
    )
    #expect(try await run("check", "-", "-").status == 64)
  }

  @Test func `a scenario that ships needs no more than its name`() async throws {
    let check = try await run("check", "bad-token")
    #expect(check.output.hasPrefix("\(file("bad-token")): valid: "), "\(check)")
    let played = try await run("run", "resend-after-error")
    let named = try await run("run", file("resend-after-error"))
    #expect(played.status == 0 && played.output == named.output)
    let served = try await Binary.run(["exec", "--scenario", "bad-token", "--", "true"], in: folder)
    #expect(served.status == 0, "\(served.errors)")
    let none = try await run("run", "bad-tokn")
    #expect(none.status == 78 && none.errors.contains("bad-tokn: ") && none.errors.contains("cannot be read"))
  }

  @Test func `a file here wins over the scenario that ships under its name`() async throws {
    try folder.write("bad-token", "devices: { bob: { apps: [com.a] } }")
    #expect(try await run("check", "bad-token").output == "bad-token: valid: 1 device\n")
  }

  @Test func `check and run read stdin`() async throws {
    try folder.write("good.yaml", "devices: { bob: { apps: [com.a] } }")
    let good = try await Binary.shell(
      "apnsim scenario check - <good.yaml && apnsim scenario run - <good.yaml",
      in: folder
    )
    #expect(good.status == 0)
    #expect(good.output.hasPrefix("stdin: valid: 1 device\n"))
    let bad = try await Binary.shell("echo 'devces: {}' | apnsim scenario check -", in: folder)
    #expect(bad.status == 78)
    #expect(bad.errors.hasPrefix("stdin:1:1: error: unknown key"))
  }

  @Test func `list says in plain words why a directory is none`() async throws {
    let file = try folder.write("a.apns", "{}")
    let result = try await run("list", "--directory", file)
    #expect(result.errors == "apnsim: error: \(file): cannot be read: Not a directory\n")
  }

  @Test func `list says where it looked for what ships, and what to do`() async throws {
    // Copied by a process of its own: a program that another test forks meanwhile would hold the file open for writing.
    let result = try await Binary.shell(
      #"cp "$(command -v apnsim)" . && ./apnsim scenario list"#,
      in: folder
    )
    #expect(result.status == 2)
    #expect(result.errors.contains("looked for fixtures/scenarios and share/apnsim/scenarios in and above"))
    #expect(result.errors.contains(folder.path))
    #expect(result.errors.contains("--directory"))
  }

  @Test func `run ends with 0 when everything is as expected`() async throws {
    let result = try await run("run", file("resend-after-error"))
    #expect(result.status == 0)
    #expect(result.output.contains("all expectations met (5)"))
    #expect(result.errors.isEmpty)
  }

  @Test func `run ends with 1 and the nearest misses otherwise`() async throws {
    let path = try folder.write(
      "miss.yaml",
      """
      devices: { alice: { apps: [com.example.app] } }
      traffic: [{ connection: a, send: { to: alice, payload: { aps: { alert: "order #17" } } } }]
      expect: [{ where: { topic: com.example.app, payload.aps.alert: { contains: Order } } }]
      """
    )
    let result = try await run("run", path)
    #expect(result.status == 1)
    #expect(result.output.contains(#"n1: payload.aps.alert expected contains "Order", found "order #17""#))
    let json = try await run("run", path, "--json")
    #expect(json.status == 1)
    #expect(
      json.output.contains(#""satisfied":false"#) && json.output.contains(#""path":"payload.aps.alert""#)
    )
  }

  @Test func `run writes the same journal twice, and another with another seed`() async throws {
    let scenario = try folder.write(
      "chance.yaml",
      """
      devices: { alice: { apps: [com.example.app] } }
      rules: [{ when: { probability: 0.5 }, fault: swallow }]
      traffic: [{ connection: a, send: { to: alice, count: 100 } }]
      """
    )
    var journals: [Data] = []
    for seed in ["1", "1", "2"] {
      let path = folder.file("journal")
      #expect(try await run("run", scenario, "--journal", path, "--seed", seed).status == 0)
      journals.append(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(journals[0] == journals[1])
    #expect(journals[0] != journals[2])
    #expect(String(decoding: journals[0], as: UTF8.self).hasPrefix(#"{"apnsim":"journal","version":1"#))
    #expect(try await run("run", scenario, "--journal", folder.file("none/there")).status == 73)
  }

  @Test func `a recording that is there is moved aside, as by serve`() async throws {
    let scenario = try folder.write(
      "one.yaml",
      """
      devices: { alice: { apps: [com.example.app] } }
      traffic: [{ connection: a, send: { to: alice } }]
      """
    )
    let path = folder.file("kept.jsonl")
    #expect(try await run("run", scenario, "--journal", path).status == 0)
    let first = try Data(contentsOf: URL(fileURLWithPath: path))
    let second = try await run("run", scenario, "--journal", path, "--seed", "7")
    #expect(second.status == 0 && second.errors.contains("is \(path).previous now"), "\(second)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".previous")) == first)
    #expect(
      try await Binary.run(
        ["replay", path, "--offline", "--quiet", "--journal", path + ".previous"],
        in: folder
      ).status == 0
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".previous.previous")) == first)
  }

  @Test func `schema prints what the repository has`() async throws {
    let file = try Fixtures.data("schemas/scenario-1.json")
    let result = try await run("schema")
    #expect(result.status == 0)
    #expect(result.output == String(decoding: file, as: UTF8.self))
    #expect(try await run("schema", "of what").status == 64)
  }

  @Test func `list names what ships and what it shows`() async throws {
    let result = try await run("list")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("in \(Self.shipped):\n"))
    #expect(result.output.contains("feedback-read-once"))
    #expect(result.output.contains("the list is cleared by reading it"))
    try folder.write("own.yaml", "description: mine\n")
    #expect(try await run("list", "--directory", folder.path).output == "own  mine\n")
    let json = try await run("list", "--directory", folder.path, "--json")
    #expect(json.output.contains(#""name":"own""#))
    try folder.write("wrong.yaml", "descripton: mine\n")
    #expect(try await run("list", "--directory", folder.path).status == 78)
  }

  /// Scenarios that only work without a network, and why.
  private static let unplayable = [
    "feedback-two-readers.yaml": "reads part of the feedback list",  // in which two readers take turns
    "goaway-left-open.yaml": "sends nothing after GOAWAY",
    "goaway-then-refused-streams.yaml": "sends nothing after GOAWAY",
    "hours-of-failures.yaml": "sends no SETTINGS",
    "ping-into-the-void.yaml": "sends no SETTINGS",
    "reset-in-the-first-connection.yaml": "before the first request",
  ]

  private static let playable =
    ((try? FileManager.default.contentsOfDirectory(atPath: shipped)) ?? [])
    .filter { $0.hasSuffix(".yaml") && unplayable[$0] == nil }.sorted()

  @Test(arguments: unplayable)
  func `run says why it cannot play a scenario over TLS`(name: String, reason: String) async throws {
    #expect(Self.playable.count >= 90)
    let path = Self.shipped + "/" + name
    let result = try await run("run", path, "--listen", "--certs", TestCertificates.path)
    #expect(result.status == 78 && result.errors.contains(reason))
    #expect(result.errors.contains("run this scenario without --listen"))
  }

  @Test(arguments: playable)
  func `run plays the same over TLS`(name: String) async throws {
    let path = Self.shipped + "/" + name
    #expect(try await run("run", path).status == 0)
    let result = try await run(
      "run",
      path,
      "--listen",
      "--certs",
      TestCertificates.path,
      "--timeout",
      Hang.timeout
    )
    #expect(result.status == 0, "\(result.output)")
    #expect(result.errors.hasPrefix("listening: gateway 127.0.0.1:"))
  }

  @Test func `run fails with its timeline, over TLS and without`() async throws {
    let path = try folder.write(
      "gone.yaml",
      """
      clock: { mode: virtual }
      devices: { bob: { apps: [com.example.app] } }
      timeline:
        - { at: 1s, do: { device.remove: bob } }
        - { at: 2s, do: { device.online: bob } }
      traffic: [{ at: 3s, connection: a, send: { to: "\(String(repeating: "ab", count: 32))" } }]
      """
    )
    for listening in [[], ["--listen", "--certs", TestCertificates.path, "--timeout", Hang.timeout]] {
      let result = try await Binary.run(["scenario", "run", path] + listening, in: folder)
      #expect(result.status == 1 && result.output.contains("timeline at "), "\(result)")
    }
  }

  @Test func `run over TLS plays steps on many connections, or says that it could not`() async throws {
    let steps = (0..<50).map {
      "  - { at: \($0)ms, connection: a\($0 % 20), send: [{ to: alice, payload: { aps: { alert: hi } } }] }\n"
    }
    let path = try folder.write(
      "many.yaml",
      "devices: { alice: { apps: [com.example.app] } }\ntraffic:\n" + steps.joined()
        + "expect: [{ device: alice, inbox: 50 }]\n"
    )
    let arguments = ["scenario", "run", path, "--listen", "--certs", TestCertificates.path]
    let whole = try await Binary.run(arguments + ["--timeout", Hang.timeout], in: folder)
    #expect(whole.status == 0, "\(whole.output)")
    let part = try await Binary.run(arguments + ["--timeout", "1ms"], in: folder)
    #expect(part.status == 1 && part.output.contains("time ran out: "))
    #expect(part.output.contains(" of 50 steps and checks were not played (--timeout)"))
  }

  @Test func `run over TLS ends with 1 when time is up`() async throws {
    let path = try folder.write("never.yaml", "expect: [{ where: {}, count: 1 }]\n")
    let result = try await run("run", path, "--listen", "--certs", TestCertificates.path, "--timeout", "0.3")
    #expect(result.status == 1)
    for timeout in ["1", "10s"] {
      #expect(try await run("run", path, "--timeout", timeout).status == 64)
    }
  }
}
