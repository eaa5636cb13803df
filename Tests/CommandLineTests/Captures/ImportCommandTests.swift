import APNSimTestSupport
import Foundation
import Testing

@Suite struct `Importing and exporting by command` {
  @Test func `a capture becomes a native one, and the summary says what was in it`() async throws {
    let folder = try TemporaryDirectory()
    let done = try await Binary.run(
      ["import", Captures.path("clients-plain.pcapng"), "-o", "native.jsonl.gz"],
      in: folder
    )
    #expect(done.status == 0)
    #expect(done.output.contains("found     6 connections: 5 gateway, 1 feedback"))
    #expect(done.output.contains("11 frames in 1,058 bytes, 88 bytes of answers"))
    #expect(done.errors.contains("the topic is taken to be com.example.app (--topic)"))
    let again = try await Binary.run(["import", "native.jsonl.gz", "-o", "-"], in: folder)
    #expect(again.status == 0)
    #expect(again.output.hasPrefix(#"{"apnsim":"journal","version":1,"source":{"kind":"pcapng""#))
    #expect(again.errors.contains("found     6 connections"))
  }

  @Test(arguments: [false, true])
  func `a native capture alone keeps its history, several say what they lose`(redacts: Bool) async throws {
    let folder = try TemporaryDirectory()
    let native = Captures.path("clients.jsonl.gz")
    let redact = redacts ? ["--redact"] : []
    let done = try await Binary.run(["import", native, "-o", "copy.jsonl"] + redact, in: folder)
    #expect(done.status == 0 && done.output.contains("found     6 connections: 5 gateway, 1 feedback"))
    let exact = try await Binary.run(["replay", "copy.jsonl", "--offline"], in: folder)
    #expect(exact.status == 0 && exact.output.hasSuffix("the same journal, byte for byte\n"), "\(exact)")
    let merged = try await Binary.run(["import", native, native, "-o", "two.jsonl"] + redact, in: folder)
    #expect(merged.status == 0)
    #expect(
      merged.errors.contains("note: verdicts, settings and scenario of clients.jsonl.gz are left out"),
      "\(merged.errors)"
    )
  }

  @Test(arguments: [
    (
      "clients.jsonl.gz", ["--topic", "a.b", "--start", "0", "--port", "1"], ["--topic", "--port", "--start"]
    ),
    ("apns3.raw", ["--feedback-port", "1", "--topic", "a.b", "--start", "0"], ["--feedback-port"]),
    ("clients-plain.pcapng", ["--topic", "a.b", "--start", "0"], ["--start"]),
  ])
  func `an option that a capture has no use for is told`(capture: String, options: [String], unused: [String])
    async throws
  {
    let done = try await Binary.run(
      ["import", Captures.path(capture), "-o", "-"] + options,
      in: try TemporaryDirectory()
    )
    let notes = done.errors.split(separator: "\n").filter { $0.contains(" is not used: ") }
    #expect(done.status == 0 && notes.map { String($0.split(separator: " ")[1]) } == unused, "\(done.errors)")
  }

  @Test func `several streams are several connections, of the topic that was said`() async throws {
    let folder = try TemporaryDirectory()
    let done = try await Binary.run(
      [
        "import", Captures.path("apns3.raw"), Captures.path("apns3.xxd"), "-o", "-", "--topic",
        "com.example.other", "--environment", "sandbox", "--start", "2012-06-01T00:00:00Z", "--json",
      ],
      in: folder
    )
    #expect(done.status == 0)
    #expect(done.output.contains(#""connection":"c2","ordinal":2,"listener":"gateway""#))
    #expect(done.output.contains(#""topic":"com.example.other""#))
    #expect(done.output.contains(#""environment":"sandbox""#))
    #expect(
      !done.output.contains(#""time":"20"#) || done.output.contains(#""time":"2012-06-01T00:00:00.000Z""#)
    )
    #expect(done.errors.contains(#""connections":2"#) && done.errors.contains(#""topicAssumed":false"#))
  }

  @Test func `what cannot be imported leaves no file, says why and ends with its code`() async throws {
    let folder = try TemporaryDirectory()
    let text = try folder.write("text", "Dear customer")
    let empty = try folder.write("empty", "")
    let header: [UInt8] =
      [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0]
    let one = try folder.write(
      "one.pcap",
      header + [0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0, 14, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + [8, 6]
    )
    let hex = try folder.write("hex", "\n" + String(repeating: "00", count: 30) + "0O")
    let cases: [([String], Int32, String)] = [
      ([empty], 2, "empty: is empty: expected a capture"),
      ([one], 2, "has no connection to a gateway or feedback service in 1 packet\n"),
      ([Captures.path("apns3.raw"), "--start", "soon"], 64, "expected a time such as 2012-06-01T00:00:00Z"),
      (["nowhere.pcap"], 2, "nowhere.pcap: cannot be read: No such file or directory"),
      ([text], 2, "is neither a packet capture"),
      ([hex], 2, #"hex:2:62: pairs of hex digits were expected, found "O""#),
      ([Captures.path("apns3.raw"), "--from", "pcap"], 2, "is neither pcap"),
      ([Captures.path("clients-tls.pcap")], 2, "hint: --keylog FILE decrypts them"),
      ([Captures.path("clients-plain.pcapng"), "--port", "9"], 2, "has no connection to a gateway"),
      ([Captures.path("clients-tls.pcap"), "--keylog", "none"], 2, "none: cannot be read"),
    ]
    for (arguments, status, message) in cases {
      let done = try await Binary.run(["import"] + arguments + ["-o", "native.jsonl"], in: folder)
      #expect(done.status == status && done.errors.contains(message), "\(arguments): \(done.errors)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("native") }
        == []
    )
    let raw = Captures.path("apns3.raw")
    let lost = try await Binary.run(["import", raw, "-o", "/nowhere/x"], in: folder)
    #expect(lost.status == 73)
    #expect(lost.errors == "apnsim: error: /nowhere/x: cannot be written: No such file or directory\n")
  }

  @Test func `nothing is written over what is being read, by whatever name`() async throws {
    let folder = try TemporaryDirectory()
    let capture = folder.file("capture.jsonl")
    let link = folder.file("link")
    let scenario = try folder.write("s.yaml", "name: s")
    try FileManager.default.copyItem(atPath: Captures.path("apns3.raw"), toPath: capture)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: capture)
    let cases = [
      ["import", capture, "-o", link], ["export", capture, "-o", capture],
      ["replay", capture, "--offline", "-o", link], ["replay", link, "--offline", "--journal", capture],
      ["scenario", "run", scenario, "--journal", scenario],
      ["serve", "--scenario", scenario, "--record", scenario],
      ["record", capture, "--redact", "--redact-key", link],
    ]
    for arguments in cases {
      let done = try await Binary.run(arguments, in: folder)
      #expect(done.status == 64 && done.errors.contains("would be both read and written"), "\(arguments)")
    }
    #expect(FileManager.default.contentsEqual(atPath: capture, andPath: Captures.path("apns3.raw")))
    #expect(try String(contentsOfFile: scenario, encoding: .utf8) == "name: s")
  }

  @Test(arguments: [
    "import - -o capture.jsonl <capture.jsonl", "export - -o capture.jsonl <capture.jsonl",
    "import capture.jsonl -o - >>capture.jsonl",
  ])
  func `a file behind stdin or stdout is read or written, not both`(command: String) async throws {
    let folder = try TemporaryDirectory()
    let capture = try folder.write("capture.jsonl", #"{"apnsim":"journal","version":1}"# + "\n")
    let before = try String(contentsOfFile: capture, encoding: .utf8)
    let done = try await Binary.shell("apnsim \(command)", in: folder)
    #expect(done.status == 64 && done.errors.contains("would be both read and written"), "\(done)")
    #expect(try String(contentsOfFile: capture, encoding: .utf8) == before)
  }

  @Test func `what there is no command for is shown the way, and help says each value once`() async throws {
    let folder = try TemporaryDirectory()
    let redact = try await Binary.run(["redact", "x.jsonl"], in: folder)
    #expect(redact.status == 64 && redact.errors.contains("hint: \"apnsim import FILE --redact"), "\(redact)")
    let help = try await Binary.run(["import", "--help"], in: folder)
    for value in ["pcapng, journal", "production, sandbox"] {
      #expect(help.output.components(separatedBy: value).count == 2, "\(help.output)")
    }
    let record = try await Binary.run(["record", "x", "--control", "http://127.0.0.1:1"], in: folder)
    #expect(
      record.status == 69 && record.errors.hasPrefix("apnsim: error: there is no apnsim at"),
      "\(record)"
    )
    let header = try folder.write("header.jsonl", #"{"apnsim":"journal","version":1}"# + "\n")
    let none = try await Binary.run(["import", header, "-o", "none.jsonl"], in: folder)
    #expect(none.status == 0 && none.output.contains("found     0 connections\n"), "\(none)")
  }

  @Test func `no two things are written into one file`() async throws {
    let folder = try TemporaryDirectory()
    let capture = Captures.path("clients.jsonl.gz")
    let scenario = try folder.write("s.yaml", "name: s")
    let cases = [
      ["replay", capture, "--offline", "-o", "same", "--journal", folder.file("same")],
      ["scenario", "run", scenario, "--listen", "--journal", "same", "--endpoints-file", "./same"],
      ["serve", "--ephemeral", "--record", "same", "--endpoints-file", "same"],
      ["exec", "--record", "same", "--key-log", "same", "--", "true"],
    ]
    for arguments in cases {
      let done = try await Binary.run(arguments, in: folder)
      #expect(
        done.status == 64 && done.errors.contains("would be written by both --"),
        "\(arguments) \(done.errors)"
      )
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("same")))
  }

  @Test func `TLS without tshark is 69, with how to get it`() async throws {
    let folder = try TemporaryDirectory()
    let done = try await Binary.run(
      [
        "import", Captures.path("clients-tls.pcap"), "--keylog", Captures.path("clients-tls.keys"), "-o",
        "native.jsonl",
      ],
      in: folder,
      environment: ["PATH": folder.path]
    )
    #expect(done.status == 69)
    #expect(done.errors.contains("apt-get install tshark"))
  }

  @Test func `TLS is decrypted in a process with thousands of open descriptors`() async throws {
    let folder = try TemporaryDirectory()
    let done = try await Binary.shell(
      """
      ulimit -n 4096 && exec /bin/bash -c 'for _ in {1..2000}; do exec {other}</dev/null; done; exec "$@"' bash \
        apnsim import "$CAPTURE" --keylog "$KEYS" -o native.jsonl
      """,
      in: folder,
      environment: ["CAPTURE": Captures.path("clients-tls.pcap"), "KEYS": Captures.path("clients-tls.keys")]
    )
    #expect(done.status == 0 && done.output.contains("6 connections"), "\(done)")
  }

  @Test func `packets come through a pipe, whatever it is called`() async throws {
    let folder = try TemporaryDirectory()
    let done = try await Binary.shell(
      """
      cat '\(Captures.path("clients-plain.pcapng"))' | apnsim import /dev/stdin -o native.jsonl
      apnsim import '\(Captures.path("clients-tls.pcap"))' --keylog '\(Captures.path("clients-tls.keys"))' -o tls.jsonl
      cat '\(Captures.path("clients-tls.pcap"))' |
        apnsim import /dev/stdin --keylog '\(Captures.path("clients-tls.keys"))' -o no.jsonl
      """,
      in: folder
    )
    #expect(done.output.contains("found     6 connections: 5 gateway, 1 feedback"), "\(done)")
    #expect(done.errors.contains("TLS is decrypted from a file, not from a pipe"), "\(done)")
  }

  @Test(arguments: [
    ("clients.jsonl.gz", "journal"), ("clients-plain.pcapng", "pcapng"), ("apns3.xxd", "hex"),
  ])
  func `what comes from stdin is told by its content, as a file is`(capture: String, kind: String)
    async throws
  {
    let folder = try TemporaryDirectory()
    let done = try await Binary.shell(
      "cat '\(Captures.path(capture))' | apnsim import - '\(Captures.path("apns3.raw"))' -o two.jsonl"
        + " && head -1 two.jsonl && cat '\(Captures.path(capture))' | apnsim import - -o one.jsonl"
        + " && head -1 one.jsonl",
      in: folder
    )
    #expect(done.status == 0 && done.output.contains("read      stdin, \(kind)"), "\(done)")
    #expect(done.output.contains(#""source":{"kind":"mixed","name":"stdin apns3.raw"}"#), "\(done)")
    let source = #""source":{"kind":"\#(kind)","name":"stdin"}"#
    #expect(done.output.contains(source) == (kind != "journal"), "\(done)")
    #expect(!done.output.contains("unknown"))
  }

  @Test func `a file that is replaced stays for whom it was; a new one is for whom the umask says`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let raw = Captures.path("apns3.raw")
    let done = try await Binary.shell(
      """
      umask 027
      for mode in 600 664; do echo old >$mode.jsonl; chmod $mode $mode.jsonl; done
      apnsim import '\(raw)' -o 600.jsonl && apnsim export 600.jsonl -o 664.jsonl && apnsim import '\(raw)' -o new.jsonl
      stat -c '%a %n' *.jsonl
      """,
      in: folder
    )
    #expect(done.output.hasSuffix("600 600.jsonl\n664 664.jsonl\n640 new.jsonl\n"), "\(done)")
  }

  @Test(.mustNotHang, arguments: [("TERM", 15), ("HUP", 1)])
  func `an import that is interrupted leaves nothing behind`(signal: String, number: Int) async throws {
    let folder = try TemporaryDirectory()
    // The program in the place of tshark writes without end, and says in the pipe that it runs.
    let done = try await Binary.shell(
      """
      mkdir bin tmp && mkfifo running
      printf '#!/bin/sh\\necho >running\\nexec yes\\n' >bin/tshark && chmod +x bin/tshark
      PATH=$PWD/bin:$PATH TMPDIR=$PWD/tmp apnsim import "$CAPTURE" --keylog "$KEYS" -o native.jsonl & import=$!
      read line <running
      kill -\(signal) $import
      wait $import
      echo status $?; ls -A . tmp | grep -e native -e apnsim
      """,
      in: folder,
      environment: ["CAPTURE": Captures.path("clients-tls.pcap"), "KEYS": Captures.path("clients-tls.keys")]
    )
    #expect(done.output == "status \(128 + number)\n", "\(done)")
  }

  @Test(.mustNotHang) func `an export that is interrupted leaves the file that was there`()
    async throws
  {
    let folder = try TemporaryDirectory()
    // More than a pipe holds: what is written has been read.
    let done = try await Binary.shell(
      """
      echo before >keep.pcapng
      mkfifo pipe
      apnsim export - -o keep.pcapng <pipe & export=$!
      exec 3>pipe
      gzip -dc '\(Captures.path("clients.jsonl.gz"))' >&3
      yes '{"seq":1000,"time":"2030-01-01T00:00:00.000Z","event":"somethingElse"}' | head -c 300000 >&3
      kill -TERM $export
      wait $export
      cat keep.pcapng; ls -A | grep -c keep
      """,
      in: folder
    )
    #expect(done.output == "before\n1\n", "\(done)")
  }

  @Test func `an export is imported again with every byte`() async throws {
    let folder = try TemporaryDirectory()
    let out = try await Binary.run(
      ["export", Captures.path("clients.jsonl.gz"), "-o", "packets.pcapng", "--json"],
      in: folder
    )
    #expect(out.status == 0 && out.output.hasPrefix(#"{"connections":6,"packets":"#))
    let back = try await Binary.run(["import", "packets.pcapng", "-o", "native.jsonl", "--json"], in: folder)
    #expect(back.output.contains(#""bytesIn":1058,"bytesOut":88,"frames":11"#))
  }
}
