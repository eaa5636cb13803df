import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `A recording in the page` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `a recording in the page has the notifications that were recorded, and nothing changes it`()
    async throws
  {
    let script = """
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json --record run.jsonl.gz \
        2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready || { kill $server; exit 9; }
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      kill -TERM $server; wait $server
      sum=$(cksum run.jsonl.gz)
      apnsim inspect run.jsonl.gz > address 2> note & page=$!
      while ! test -s address; do kill -0 $page || exit 9; sleep 0.05; done
      url=$(cat address)
      apnsim wait --query 'status:5' --timeout 0 --control "${url%/}" > matched; echo "wait $?"
      apnsim clock advance 1h --control "${url%/}" 2> refused; echo "advance $?"
      apnsim reset --control "${url%/}" 2> refused; echo "reset $?"
      apnsim clock --control "${url%/}" > clock
      test "$sum" = "$(cksum run.jsonl.gz)" && echo unchanged
      kill -INT $page; wait $page; echo "inspect $?"
      """
    let result = try await Binary.shell(script, in: folder)
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: folder.file(name), encoding: .utf8)
    }
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.contains("wait 0") && lines.contains("unchanged") && lines.contains("inspect 0"),
      "\(result)"
    )
    #expect(!lines.contains("advance 0") && !lines.contains("reset 0"), "\(result)")
    #expect(try text("refused").contains("this is a recording, which nothing changes"))
    #expect(try text("matched").contains("Invalid token size"))
    #expect(try text("note").contains("run.jsonl.gz: 6 notifications, "))
  }

  @Test
  func `a recording in the page has what came after the last reset, and the rest where asked for`()
    async throws
  {
    let script = """
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json --record run.jsonl \
        2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready || { kill $server; exit 9; }
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      apnsim reset --endpoints-file e.json > reset
      kill -TERM $server; wait $server
      for part in "" "--part 1" "--part 3"; do
        rm -f address; apnsim inspect run.jsonl $part > address 2> note & page=$!
        while ! test -s address && kill -0 $page 2> gone; do sleep 0.05; done
        kill -INT $page 2> gone; wait $page; echo "$?$part: $(grep -v address note | tr '\\n' ' ')"
      done
      """
    let result = try await Binary.shell(script, in: folder)
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(result)")
    #expect(lines[0].hasPrefix("0: part 2 of the recording; 6 notifications came before"), "\(lines)")
    #expect(
      lines[1].hasPrefix("0--part 1: ") && lines[1].contains("run.jsonl: 6 notifications, "),
      "\(lines)"
    )
    #expect(lines[2].contains("--part: expected a number from 1 to 2, found 3"), "\(lines)")
  }

  @Test func `a recording in the page is made of what import reads, and nothing of that stays`() async throws
  {
    let script = """
      mkdir scratch; export TMPDIR="$PWD/scratch"
      apnsim inspect '\(Fixtures.root.path)/captures/clients-plain.pcapng' > address 2> note & page=$!
      while ! test -s address && kill -0 $page 2> gone; do sleep 0.05; done
      url=$(cat address)
      apnsim connections --control "${url%/}" > connections; echo "connections $?"
      kill -INT $page; wait $page; echo "inspect $?"
      ls scratch | grep -c inspect
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.output.contains("connections 0\ninspect 0\n0"), "\(result)")
    let connections = try String(contentsOfFile: folder.file("connections"), encoding: .utf8)
    #expect(connections.contains("gateway") && connections.contains("received"), "\(connections)")
  }

  @Test func `a recording in the page is shown while it is read, where that takes more than a second`()
    async throws
  {
    let script = """
      apnsim serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json --record run.jsonl \
        2> log > out & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready || { kill $server; exit 9; }
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo
      kill -TERM $server; wait $server
      mkfifo pipe.jsonl
      apnsim inspect pipe.jsonl > address 2> note & page=$!
      exec 3> pipe.jsonl
      head -n 2 run.jsonl >&3
      while ! test -s address; do kill -0 $page || exit 9; sleep 0.05; done
      url=$(cat address)
      apnsim ready --timeout \(Hang.timeout) --control "${url%/}" > ready; echo "ready $?"
      test -s note || echo reading
      tail -n +3 run.jsonl >&3
      exec 3>&-
      apnsim wait --query 'status:5' --timeout \(Hang.timeout) --control "${url%/}" > matched; echo "wait $?"
      while ! test -s note; do kill -0 $page || exit 9; sleep 0.05; done
      kill -INT $page; wait $page; echo "inspect $?"
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.output == "ready 0\nreading\nwait 0\ninspect 0\n", "\(result)")
    let note = try String(contentsOfFile: folder.file("note"), encoding: .utf8)
    #expect(note.contains("pipe.jsonl: 6 notifications, "), "\(note)")
  }

  @Test func `a recording in the page ends at once where it is interrupted while it is read`() async throws {
    let script = """
      mkfifo pipe.jsonl
      apnsim inspect pipe.jsonl > address 2> note & page=$!
      exec 3> pipe.jsonl
      echo '{"apnsim":"journal","version":1,"source":"import"}' >&3
      while ! test -s address; do kill -0 $page || exit 9; sleep 0.05; done
      kill -INT $page; wait $page; echo "inspect $?"
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.output == "inspect 0\n", "\(result)")
  }

  @Test func `a recording in the page is refused where the file is none`() async throws {
    try folder.write("x.jsonl", "{}\n")
    for arguments in [["x.jsonl"], ["nothing.jsonl"], ["x.jsonl", "--port", "70000"]] {
      let result = try await Binary.run(["inspect"] + arguments, in: folder)
      #expect(result.status != 0 && result.output.isEmpty && !result.errors.isEmpty)
    }
  }
}
