import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `A command with a simulator of its own` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Keys are made once for all tests.
  private static let cache = TemporaryDirectory.ofThisRun.file("cache")

  private var environment: [String: String] {
    [
      "PATH": "\(Binary.url.deletingLastPathComponent().path):/usr/bin:/bin", "HOME": folder.path,
      "TMPDIR": folder.path, "XDG_CACHE_HOME": Self.cache,
    ]
  }

  private func exec(_ arguments: String...) async throws -> Child {
    try await Binary.start(["exec"] + arguments, in: folder, environment: environment)
  }

  private func shell(_ script: String) async throws -> Binary.Result {
    try await Binary.shell(script, in: folder, environment: environment)
  }

  /// The names that it has left in the temporary directory.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("apnsim-exec") }
  }

  @Test(arguments: ["--record", "--endpoints-file"])
  func `a signal ends it while nobody reads the pipe that it is to write to`(option: String) async throws {
    let run = try await shell(
      """
      mkfifo pipe
      apnsim exec \(option) pipe -- true & run=$!
      until ls -d apnsim-exec-* >/dev/null 2>&1; do :; done
      kill -TERM $run; wait $run
      """
    )
    #expect(run.status == 143, "\(run.errors)")
    #expect(try leftovers().isEmpty)
  }

  @Test func `a command with a simulator of its own leaves the endpoints file of another simulator as it is`()
    async throws
  {
    let run = try await shell(
      """
      echo '{}' > ends
      APNSIM_ENDPOINTS_FILE=ends apnsim exec -- sh -c 'echo "$APNSIM_ENDPOINTS_FILE"'
      cat ends
      apnsim exec --endpoints-file own -- grep -c '"gateway"' own
      """
    )
    #expect(run.output == "\n{}\n1\n", "\(run.output)\(run.errors)")
  }

  @Test func `the exit code of a command is passed through`() async throws {
    let run = try await exec("--", "sh", "-c", "echo out; exit 7")
    #expect(await run.rest() == "out\n")
    #expect(try await run.status() == 7)
    #expect(try run.errors().isEmpty)
    #expect(try leftovers().isEmpty)
  }

  @Test func `what is recorded is recorded whole, whatever simulators the command starts`() async throws {
    let run = try await shell(
      """
      APNSIM_RECORD=outer.jsonl apnsim exec -- sh -ec 'apnsim send --demo --timeout \(Hang.timeout); apnsim exec -- true; apnsim send --demo --timeout \(Hang.timeout)' \
        >sent && test "${APNSIM_RECORD-none}" = none && apnsim replay outer.jsonl --offline
      """
    )
    #expect(run.status == 0 && run.output.hasSuffix("the same journal, byte for byte\n"), "\(run)")
  }

  @Test func `a command ends by saying what an error cost and was not sent again`() async throws {
    let run = try await shell(
      "apnsim exec -- sh -c 'apnsim send --demo --timeout \(Hang.timeout) >sent; exit 3'"
    )
    #expect(run.status == 3 && run.output.isEmpty, "\(run)")
    #expect(
      run.errors.contains("status 5 discarded 1, 0 were sent again, 1 were not: 00000006"),
      "\(run.errors)"
    )
    let clean = try await shell("apnsim exec -- true")
    #expect(clean.status == 0 && clean.errors.isEmpty, "\(clean)")
  }

  @Test func `simulators that run at once do not share a recording`() async throws {
    let run = try await shell(
      """
      export APNSIM_RECORD=shared.jsonl
      apnsim exec -- sh -c '
        apnsim send --demo --timeout \(Hang.timeout) >/dev/null
        APNSIM_RECORD=shared.jsonl apnsim exec -- echo ran; echo "status $?"
        APNSIM_RECORD=own-%p.jsonl apnsim exec -- true; ls own-*.jsonl | grep -cE "^own-[0-9]+[.]jsonl$"
      '
      apnsim replay shared.jsonl --offline
      """
    )
    #expect(run.output.hasPrefix("status 125\n1\n"), "\(run)")
    #expect(run.output.hasSuffix("the same journal, byte for byte\n"), "\(run)")
    #expect(
      run.errors.contains("cannot write shared.jsonl: another process is recording to it, pid "),
      "\(run)"
    )
    #expect(run.errors.contains("hint: each simulator needs a recording of its own"))
  }

  @Test func `a client with wired-in ports has the simulator there, and the rest on free ones`() async throws
  {
    let run = try await shell(
      """
      APNSIM_CONTROL_PORT=1 apnsim exec --print json -- sh -c 'echo $APNSIM_GATEWAY_PORT $APNSIM_CONTROL_URL' >free
      port=$(tail -n 1 free | cut -d " " -f 1)
      apnsim exec --gateway-port "$port" --server-name gateway.test -- sh -c '
        echo $((APNSIM_GATEWAY_PORT - '"$port"')); test "$APNSIM_FEEDBACK_PORT" -gt 0
        openssl s_client -connect localhost:$APNSIM_GATEWAY_PORT -CAfile "$APNSIM_CA_FILE" -verify_hostname gateway.test \
          -cert "$APNSIM_PROVIDER_CERT" -key "$APNSIM_PROVIDER_KEY" </dev/null 2>&1 | grep "Verify return code" | head -n 1
      '
      head -n 1 free | cut -c 1-13
      """
    )
    #expect(
      run.output == "0\n    Verify return code: 0 (ok)\n{\"version\":1,\n"
        || run.output == "0\nVerify return code: 0 (ok)\n{\"version\":1,\n",
      "\(run)"
    )
  }

  @Test func `flags that do not fit together are a matter of usage`() async throws {
    let run = try await exec("--no-control", "--redact", "--", "true")
    #expect(try await run.status() == 64)
    #expect(try run.errors().contains("--redact requires --record or the control API"))
  }

  @Test func `what of its settings will not be heard is remarked upon`() async throws {
    let run = try await Binary.start(
      ["exec", "--no-control", "--control-token", "x", "--", "true"],
      in: folder,
      environment: environment.merging(["APNSIM_BADGE_ABSNT": "keep"]) { $1 }
    )
    #expect(try await run.status() == 0)
    let remarks = try run.errors()
    #expect(remarks.contains("warning: --control-token has no effect with --no-control"), "\(remarks)")
    #expect(remarks.contains("APNSIM_BADGE_ABSNT is not a setting; did you mean APNSIM_BADGE_ABSENT?"))
  }

  @Test func `the certificates of a command's simulator are where a configuration file says`() async throws {
    let config = try folder.write("exec.yaml", "certs: kept")
    let run = try await exec("--config", config, "--", "sh", "-c", "echo $APNSIM_CERTS")
    #expect(await run.rest() == folder.file("kept") + "\n")
    #expect(try await run.status() == 0)
  }

  @Test func `a command finds the simulator in its environment, as every apnsim command does`() async throws {
    let run = try await exec(
      "--scenario",
      try folder.write("s.yaml", "devices: { bob: { apps: [com.example.app] } }"),
      "--",
      "sh",
      "-ec",
      """
      apnsim send --demo --timeout \(Hang.timeout) --json | grep -c accepted
      for file in "$APNSIM_CA_FILE" "$APNSIM_PROVIDER_CERT" "$APNSIM_PROVIDER_KEY" "$APNSIM_PROVIDER_P12" \
        "$APNSIM_AUTH_KEY"; do
        test -r "$file"
      done
      echo "$APNSIM_HOST" "${APNSIM_CONTROL_URL%:*}"
      test "$APNSIM_GATEWAY_PORT" != "$APNSIM_FEEDBACK_PORT"
      test "$APNSIM_HTTP2_PORT" -gt 0
      test -z "$APNSIM_SANDBOX_HTTP2_PORT"
      echo "$APNSIM_KEY_ID" "$APNSIM_TEAM_ID"
      """
    )
    #expect(await run.rest().hasSuffix("\n127.0.0.1 http://127.0.0.1\nAPNSIMKEY1 APNSIMTEAM\n"))
    #expect(try await run.status() == 0)
  }

  @Test func `a command within another has a key of its own`() async throws {
    let run = try await exec(
      "--",
      "sh",
      "-ec",
      """
      outer=$APNSIM_AUTH_KEY
      apnsim exec -- sh -ec 'test "$APNSIM_AUTH_KEY" = "$0"' "$outer"
      apnsim exec --certs inner -- \
        sh -ec 'test "$APNSIM_AUTH_KEY" != "$0" && test -r "$APNSIM_AUTH_KEY" && echo ok' "$outer"
      """
    )
    #expect(await run.rest() == "ok\n")
    #expect(try await run.status() == 0)
  }

  @Test(arguments: ["both", "sandbox"])
  func `the sandbox of a command's simulator is there for who asks for it, with the certificate for it`(
    served: String
  ) async throws {
    let run = try await exec(
      "--environment",
      served,
      "--",
      "sh",
      "-ec",
      "apnsim send --demo --timeout \(Hang.timeout) --environment sandbox --json | grep -c accepted >/dev/null; "
        + "apnsim feedback read --environment sandbox >/dev/null; test $APNSIM_SANDBOX_HTTP2_PORT -gt 0; echo ok"
    )
    #expect(await run.rest() == "ok\n")
    #expect(try await run.status() == 0)
  }

  @Test func `where the sandbox alone is served, its devices need no word on it`() async throws {
    let run = try await exec(
      "--environment",
      "sandbox",
      "--",
      "sh",
      "-ec",
      """
      token=$(apnsim device add bob --app com.example.app --quiet)
      echo '{"aps":{"alert":"order"}}' | apnsim send - --to "$token" >/dev/null
      apnsim wait --query 'device:bob alert~"order"' --timeout \(Hang.timeout) >/dev/null
      apnsim feedback add "$token" --app com.example.app
      apnsim feedback read | grep -c "$token"
      """
    )
    #expect(await run.rest() == "1\n")
    #expect(try await run.status() == 0)
  }

  @Test func `certificates are made, listed and exported where the simulator's own are`() async throws {
    let run = try await exec(
      "--",
      "sh",
      "-ec",
      """
      apnsim certs issue com.example.game --key-type ec >/dev/null
      test -e "$APNSIM_CERTS/com.example.game.pem"
      apnsim certs list | grep -c com.example.game.pem
      test ! -e certs
      """
    )
    #expect(await run.rest() == "1\n")
    #expect(try await run.status() == 0)
  }

  @Test func `no apnsim command finds another's simulator where its own has no control API`() async throws {
    let run = try await exec("--no-control", "--", "sh", "-c", "apnsim reset; echo $? $APNSIM_CONTROL_URL")
    #expect(await run.rest() == "69 none\n")
    #expect(try await run.status() == 0)
    #expect(try run.errors().contains("APNSIM_CONTROL_URL says that the simulator has no control API"))
  }

  @Test func `127 when it is not there, 126 when it cannot be run, 125 when the simulator fails`()
    async throws
  {
    let missing = try await exec("--", "no-such-command")
    #expect(try await missing.status() == 127)
    #expect(try missing.errors() == "apnsim: error: no-such-command: No such file or directory\n")
    let data = try folder.write("data", "")
    #expect(try await exec("--", data).status() == 126)
    let failed = try await exec("--scenario", "nowhere.yaml", "--", "sh", "-c", "echo ran")
    #expect(await failed.rest().isEmpty)
    #expect(try await failed.status() == 125)
    #expect(try failed.errors().contains("nowhere.yaml"))
  }

  @Test func `help lists what it takes and every variable that it sets`() async throws {
    let help = try await exec("--help")
    let text = await help.rest()
    #expect(try await help.status() == 0)
    for flag in ["--gateway-port", "--control-port", "--ephemeral", "--print"] {
      #expect(text.contains(flag))
    }
    for name in ["SANDBOX_GATEWAY_PORT", "SANDBOX_FEEDBACK_PORT", "CONTROL_TOKEN", "DEVICE_PORT"] {
      #expect(text.contains("APNSIM_\(name)"))
    }
    #expect(text.contains("--edition") && text.contains("--scenario") && text.contains("--certs"))
  }

  @Test func `64 for a command line without a command, or with a port that is none`() async throws {
    #expect(try await exec().status() == 64)
    #expect(try await exec("--gateway-port", "70000", "--", "true").status() == 64)
  }

  @Test func `a signal that kills it is told as a shell tells it`() async throws {
    let run = try await exec("--", "sh", "-c", "kill -KILL $$")
    #expect(try await run.status() == 128 + SIGKILL)
  }

  @Test func `signals for us are for it`() async throws {
    let run = try await exec("--", "sh", "-c", "trap 'echo got; exit 9' TERM; echo ready; sleep 100 & wait")
    #expect(await run.line() == "ready")
    run.signal(SIGTERM)
    #expect(await run.rest() == "got\n")
    #expect(try await run.status() == 9)
  }

  @Test func `what a command left running is ended with it`() async throws {
    let run = try await exec(
      "--",
      "sh",
      "-c",
      "setsid sh -c 'trap \"\" TERM; echo up; sleep 100; sleep 100' & read x; exit 3"
    )
    // The pipe ends although the grandchild, which left the session and ignores SIGTERM, would hold it for long.
    #expect(await ["", "up\n"].contains(run.rest()))
    #expect(try await run.status() == 3)
  }

  @Test
  func `a command is ended with all it has started when apnsim is killed, and nothing is left on the disk`()
    async throws
  {
    let run = try await exec("--", "sh", "-c", "setsid sleep 100 & sleep 100 & echo ready; wait")
    #expect(await run.line() == "ready")
    #expect(try leftovers().count == 1)
    run.signal(SIGKILL)
    #expect(await run.rest().isEmpty)
    #expect(try await run.status() == SIGKILL)
    // The process that removes the directory does not hold the pipe: the test waits for the directory itself.
    #expect(try await eventually { try leftovers().isEmpty })
  }

  @Test func `nothing is left on the disk when apnsim is killed by a command that ends`() async throws {
    // The command's parent is the supervisor, and that one's the simulator.
    let script = "kill -9 $(sed -n 's/^PPid:.//p' /proc/$PPID/status); exit 0"
    for _ in 0..<5 {
      let run = try await exec("--", "sh", "-c", script)
      #expect(try await run.status() == SIGKILL)
      #expect(try await eventually { try leftovers().isEmpty })
    }
  }

  @Test func `a command may open as many files as whoever started apnsim said`() async throws {
    let run = try await Binary.shell(
      "ulimit -Sn 256; apnsim exec -- sh -c 'ulimit -Sn' 2>talk",
      in: folder
    )
    #expect(run.output == "256\n", "\(run.errors)")
  }

  @Test func `both sides end when their supervisor is killed`() async throws {
    let run = try await exec("--", "sh", "-c", "sleep 100 & echo $PPID; wait")
    let supervisor = try #require(await run.line().flatMap { pid_t($0) })
    #expect(supervisor != run.id)
    kill(supervisor, SIGKILL)
    #expect(await run.rest().isEmpty)
    #expect(try await run.status() == 125)
    #expect(try leftovers().isEmpty)
  }

  @Test func `a Ctrl-C that arrives twice at once is one`() async throws {
    // A busy machine may take its time between the supervisor's two looks.
    for _ in 0..<10 {
      let run = try await exec(
        "--",
        "sh",
        "-c",
        "trap 'echo int; sleep 1.5; echo end; exit 3' INT; echo $PPID; while :; do sleep 0.1; done"
      )
      let supervisor = try #require(await run.line().flatMap { pid_t($0) })
      // It finds both when it goes on.
      kill(supervisor, SIGSTOP)
      for _ in 1...2 { try await run.deliver(SIGINT) }
      kill(supervisor, SIGCONT)
      if await run.rest() == "int\nend\n", try await run.status() == 3 { return }
    }
    Issue.record("two signals at once ended the command")
  }

  @Test func `a second Ctrl-C within two seconds leaves nothing behind`() async throws {
    let run = try await exec(
      "--",
      "sh",
      "-c",
      "trap 'echo int' INT; trap '' TERM; (trap '' INT TERM; sleep 100; sleep 100) & echo ready; "
        + "while :; do wait; done"
    )
    #expect(await run.line() == "ready")
    run.signal(SIGINT)
    #expect(await run.line() == "int")
    // Two of these come within two seconds, however busy the machine is.
    let impatience = Task {
      while !Task.isCancelled {
        run.signal(SIGINT)
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    #expect(await run.rest().replacing("int\n", with: "").isEmpty)
    impatience.cancel()
    #expect(try await run.status() == 128 + SIGKILL)
    #expect(try leftovers().isEmpty)
  }

  @Test func `the standard streams of a command and the descriptors of a shell are apnsim's`() async throws {
    let run = try await shell(
      "echo in | apnsim exec -- sh -c 'cat; echo three >&3; echo err >&2' 3>three; cat three"
    )
    #expect(run.output == "in\nthree\n")
    #expect(run.errors == "err\n")
  }

  @Test func `a command has no descriptor of the simulator`() async throws {
    let list = "sh -c 'cd /proc/$$/fd; echo *'"
    let run = try await shell("\(list); apnsim exec -- \(list)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == lines.last, "\(run.output)")
  }

  @Test func `a command inside another has ports of its own`() async throws {
    let run = try await exec(
      "--",
      "sh",
      "-c",
      "echo $APNSIM_GATEWAY_PORT; apnsim exec -- sh -c 'echo $APNSIM_GATEWAY_PORT'; apnsim send --demo --timeout \(Hang.timeout) >/dev/null"
    )
    let ports = await run.rest().split(separator: "\n")
    #expect(ports.count == 2 && Set(ports).count == 2)
    #expect(try await run.status() == 0)
  }

  @Test func `a command inside another may serve other environments`() async throws {
    let inner =
      "apnsim exec --environment both -- apnsim send --demo --timeout \(Hang.timeout) --environment sandbox"
    let run = try await exec("--environment", "sandbox", "--", "sh", "-c", "\(inner) >/dev/null")
    #expect(try await run.status() == 0)
  }
}
