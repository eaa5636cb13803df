import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `Where results go` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("bytes", "0801 0000")
    try folder.write("other.yaml", "expect: [{ where: {}, never: true }]")
  }

  @Test func `results go into a pipe and through a link, which stay what they are`() async throws {
    let raw = Captures.path("apns3.raw")
    let run = try await Binary.shell(
      """
      set -e
      mkfifo pipe
      ln -s target link
      cat pipe >copy & apnsim import '\(raw)' -o pipe >summary; wait $!
      apnsim import '\(raw)' -o link >>summary
      test -p pipe; test -L link; test -s target; cmp copy target
      apnsim certs init --key-type ec >>summary
      cat pipe >copy & apnsim certs export provider -o pipe >>summary; wait $!
      apnsim certs export provider -o link >>summary
      test -p pipe; test -L link; cmp copy target
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `the endpoints go into a pipe, which stays one`() async throws {
    let run = try await Binary.shell(
      """
      set -e
      mkfifo ends
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file ends >banner & server=$!
      cat ends >copy
      kill $server; wait $server
      test -p ends; grep -q '"version":1' copy
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `an address that the machine does not have is not a matter of ports`() async throws {
    let arguments = ["serve", "--ephemeral", "--no-control", "--host", "192.0.2.1"]
    let run = try await Binary.run(arguments + ["--certs", TestCertificates.path], in: folder)
    #expect(run.status == 2)
    #expect(run.errors.contains("does not have that address (choose another with --host)"))
  }

  #if os(Linux)
    @Test(arguments: [
      "tokens", "tokens --json", "decode bytes", "decode bytes --json", "scenario check other.yaml",
      "scenario run other.yaml --json", "certs list --certs '\(TestCertificates.path)'",
      "certs export provider --certs '\(TestCertificates.path)'", "--help", "send --help", "help wait",
      "--version", "--generate-completion-script bash",
    ])
    func `73 when stdout takes no more, or is closed`(command: String) async throws {
      let certificates = "apnsim certs init --certs '\(TestCertificates.path)' >made"
      let full = try await Binary.shell("\(certificates); apnsim \(command) >/dev/full", in: folder)
      #expect(full.status == 73)
      #expect(full.errors.hasSuffix("apnsim: error: stdout: cannot be written: No space left on device\n"))
      let closed = try await Binary.shell("apnsim \(command) >&-", in: folder)
      #expect(closed.status == 73)
      #expect(closed.errors.hasSuffix("apnsim: error: stdout: cannot be written: Bad file descriptor\n"))
    }
  #endif

  @Test func `a reader that goes away is not complained about`() async throws {
    let run = try await Binary.shell("apnsim tokens | head -n 1; apnsim tokens | true", in: folder)
    #expect(run.errors.isEmpty)
    #expect(!run.output.isEmpty)
  }

  @Test(arguments: ["record -", "watch --all", "device connect --app com.example.app"])
  func `a reader that has gone ends a command that waits for more`(command: String) async throws {
    let run = try await Binary.shell(
      """
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file ends >banner & server=$!
      apnsim ready --endpoints-file ends --timeout \(Hang.timeout) >ready || { kill $server; exit 1; }
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file ends >demo
      { apnsim \(command) --endpoints-file ends; echo "status $?" >&2; } | head -n 1
      kill $server; wait $server
      """,
      in: folder
    )
    #expect(run.status == 0 && run.errors.hasPrefix("status 0\n"), "\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test func `a reader that reads nothing keeps no command from ending`() async throws {
    let run = try await Binary.shell(
      """
      set -e
      mkfifo full
      exec 3<>full
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file ends >banner & server=$!
      apnsim ready --endpoints-file ends --timeout \(Hang.timeout) >ready
      echo '{"aps":{"alert":"Hello"}}' | apnsim send - --count 500 --to \(String(repeating: "ab", count: 32)) \
        --endpoints-file ends --timeout 1ms >sent
      apnsim watch --all --json --endpoints-file ends >full & watch=$!
      read -r first <&3
      kill $watch; wait $watch
      kill $server; wait $server
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: ["INT", "TERM"])
  func `a device whose output nobody reads can be ended`(signal: String) async throws {
    let run = try await Binary.shell(
      """
      set -e
      trap - INT
      mkfifo full
      exec 3<>full
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file ends >banner & server=$!
      apnsim ready --endpoints-file ends --timeout \(Hang.timeout) >ready
      apnsim device connect --app com.example.app --json --endpoints-file ends >full & device=$!
      read -r tokens <&3
      token=$(echo "$tokens" | sed 's/.*"token":"//; s/".*//')
      echo '{"aps":{"alert":"Hello"}}' | apnsim send - --count 1000 --to $token \
        --endpoints-file ends --timeout 1ms >sent
      read -r first <&3
      kill -\(signal) $device; wait $device
      kill $server; wait $server
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  #if os(Linux)
    @Test(arguments: ["--record", "--endpoints-file"], ["INT", "TERM"])
    func `a pipe that nobody reads keeps no simulator from ending`(flag: String, signal: String) async throws
    {
      let run = try await Binary.shell(
        """
        trap - INT
        mkfifo pipe
        apnsim serve --ephemeral --certs '\(TestCertificates.path)' --print json \(flag) pipe >banner & server=$!
        caught() { echo $((0x$(sed -n 's/^SigCgt:.//p' /proc/$server/status) & 0x4002)); }
        until [ "$(caught)" = \(0x4002) ]; do kill -0 $server || exit 1; done
        while kill -\(signal) $server 2>/dev/null; do
          if grep -q '^State:.Z' /proc/$server/status; then break; fi
        done
        wait $server
        echo $?; cat banner
        """,
        in: folder
      )
      #expect(run.output == "0\n", "\(run.errors)")
    }
  #endif

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `a command that a signal ends leaves no draft`(signal: String) async throws {
    let run = try await Binary.shell(
      """
      trap - INT
      mkfifo input
      exec 3<>input
      apnsim import input -o out.jsonl & import=$!
      until ls out.jsonl.new-* >/dev/null 2>&1; do kill -0 $import || exit 1; done
      kill -\(signal) $import; wait $import
      kill -l $?; ls out* 2>/dev/null
      """,
      in: folder
    )
    #expect(run.output == "\(signal)\n", "\(run.errors)")
  }

  @Test func `an input of nothing but blanks is not called empty`() async throws {
    try folder.write("blanks", "  \n ")
    #expect(
      try await Binary.run(["decode", "blanks"], in: folder).errors
        == "nothing to decode: the input contains only blanks and comments\n"
    )
  }
}
