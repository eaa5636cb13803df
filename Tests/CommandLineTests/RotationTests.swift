import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `A recording that is rotated` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Records to `name` and, after every `parts` but the last, renames the file and sends SIGHUP, with the demo in each.
  private func record(_ name: String, parts: Int = 2, _ flags: String = "") async throws -> Binary.Result {
    let last = parts - 1
    let script = """
      setsid apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json \
        --record \(name) \(flags) 2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      for part in $(seq 1 \(last)); do
        mv \(name) \(name).$part
        kill -HUP $server
        while ! test -s \(name); do kill -0 $server || exit 9; sleep 0.05; done
        apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      done
      kill -TERM $server; wait $server
      """
    return try await Binary.shell(script, in: folder)
  }

  private func replay(_ files: String...) async throws -> Binary.Result {
    try await Binary.run(["replay", "--offline"] + files, in: folder)
  }

  @Test(arguments: ["run.jsonl", "run.jsonl.gz"], ["", "--redact"])
  func `a rotated recording is exact across the cut`(name: String, flags: String) async throws {
    let served = try await record(name, flags)
    #expect(served.status == 0, "\(served.errors)")
    let log = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
    #expect(log.contains("\(name): the recording continues in this new file, from event "), "\(log)")
    let result = try await replay("\(name).1", name)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("12 notifications"), "\(result.output)")
    #expect(result.output.contains("the same journal, byte for byte\n"), "\(result.output)")
  }

  @Test func `a rotated recording refuses parts that are missing, misplaced or of another recording`()
    async throws
  {
    let served = try await record("run.jsonl", parts: 3)
    #expect(served.status == 0, "\(served.errors)")
    try folder.write("other.jsonl", #"{"apnsim":"journal","version":1}"# + "\n")
    let whole = try await replay("run.jsonl.1", "run.jsonl.2", "run.jsonl")
    #expect(whole.status == 0 && whole.output.contains("18 notifications"), "\(whole.errors)")
    for (files, expected) in [
      (["run.jsonl.1", "run.jsonl"], "the part between them is missing"),
      (["run.jsonl.1", "run.jsonl.2", "run.jsonl.2"], "the parts are not in order, the oldest first, or"),
      (["run.jsonl.2", "run.jsonl"], "and the part before it is missing here"),
      (["run.jsonl", "run.jsonl.1"], "name all parts, the oldest first"),
      (["run.jsonl.1", "other.jsonl"], "begins a recording of its own, and does not continue run.jsonl.1"),
      (["run.jsonl.1", "-"], "is no file"),
    ] {
      let refused = try await Binary.run(["replay", "--offline"] + files, in: folder)
      #expect(refused.status == 2 && refused.output.isEmpty, "\(files): \(refused.status)")
      #expect(refused.errors.contains(expected), "\(refused.errors)")
    }
    let alone = try await replay("run.jsonl.2")
    #expect(alone.errors.contains("name the parts before it first"), "\(alone.errors)")
  }

  @Test func `a recording goes on in a file of its name, and without one SIGHUP ends the server`()
    async throws
  {
    let server = "setsid apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json"
    let script = """
      \(server) --record run.jsonl 2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      kill -HUP $server
      while ! grep -q 'still has its name' log; do kill -0 $server || exit 9; sleep 0.05; done
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      kill -TERM $server; wait $server; echo $?
      rm e.json
      \(server) 2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      kill -HUP $server; wait $server; echo $?
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.output == "0\n129\n", "\(result.errors)")
    let replayed = try await replay("run.jsonl")
    #expect(replayed.output.contains("the same journal, byte for byte\n"), "\(replayed.errors)")
  }

  @Test(arguments: ["run.jsonl"], ["", "--redact"])
  func `a recording that is copied and truncated goes on, exact across the cut`(name: String, flags: String)
    async throws
  {
    let script = """
      setsid apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json \
        --record \(name) \(flags) 2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      size=0; while test $size != "$(stat -c %s \(name))"; do size=$(stat -c %s \(name)); sleep 0.5; done
      cp \(name) \(name).1; : > \(name)
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      for command in "export \(name).1 -o \(name)" "import \(name).1 -o \(name)" \
        "replay \(name).1 --offline -o \(name)" "replay \(name).1 --offline --journal \(name)"; do
        apnsim $command 2>> refused; echo $?
      done
      kill -TERM $server; wait $server
      """
    let served = try await Binary.shell(script, in: folder)
    #expect(served.status == 0 && served.output == "73\n73\n73\n73\n", "\(served)")
    let log = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
    #expect(log.split(separator: "the recording was truncated").count == 2, "\(log)")
    let refused = try String(contentsOfFile: folder.file("refused"), encoding: .utf8)
    #expect(refused.split(separator: "another process is recording to it").count == 5, "\(refused)")
    let result = try await replay("\(name).1", name)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("12 notifications"), "\(result.output)")
    #expect(result.output.contains("the same journal, byte for byte\n"), "\(result.output)")
  }
}
