import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import apnsim

@Suite struct `Decoding bytes` {
  private let token = String(repeating: "ab", count: 32)

  private func pieces(_ hex: String, _ configure: (inout Configuration) -> Void = { _ in }) throws
    -> [DecodedPiece]
  {
    var configuration = Configuration()
    configure(&configuration)
    let decoder = try StreamDecoder(
      configuration: configuration,
      app: AppKey(topic: "com.example.app", environment: .production),
      now: Timestamp(seconds: 1_338_508_800)
    )
    var pieces: [DecodedPiece] = []
    decoder.read(try InputBytes.read(Array(hex.utf8), as: .hex, name: "x")) { pieces.append($0) }
    return pieces
  }

  private var simple: String { "00 0020 \(token) 0002 7b7d" }

  @Test func `the raw bytes of a request are shown as a request`() async throws {
    let folder = try TemporaryDirectory()
    let fields = [
      (":method", "POST"), (":path", "/3/device/ab"), ("authorization", "bearer x"), ("apns-topic", "t"),
    ]
    let request = ProviderRequest(
      stream: 5,
      headers: fields.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: Array(#"{"aps":{}}"#.utf8),
      authorization: RequestAuthorization()
    )
    let file = folder.file("raw.bin")
    try Data(request.bytes).write(to: URL(fileURLWithPath: file))
    let text = try await Binary.run(["decode", file], in: folder)
    #expect(text.status == 0 && text.output.hasPrefix("a request of HTTP/2: POST /3/device/ab on stream 5\n"))
    #expect(text.output.contains("apns-topic") && text.output.contains(#"10 bytes of body: {"aps":{}}"#))
    let json = try await Binary.run(["decode", file, "--json"], in: folder)
    #expect(
      json.output.hasPrefix(#"{"kind":"request","stream":5,"headers":[{"name":":method","value":"POST"}"#)
    )
    #expect(try InputBytes.read(request.bytes, as: .auto, name: "x") == request.bytes)
  }

  @Test(
    arguments: [
      ("0102 0A", [1, 2, 10]), ("# a comment\n01 # two\n02\n", [1, 2]), ("0x01,0x02", [1, 2]),
      ("01:02", [1, 2]), ("00000000: 0102 0aff  ....\n", [1, 2, 10, 255]),
      ("00000000  01 02 0a  |...|\n00000003\n", [1, 2, 10]),
      ("AQIK", [1, 2, 10]), ("AQ==\n", [1]), ("\u{FEFF}01 # Gerät\n", [1]), ("# nothing\n", []),
      ("0x7ffee4c0:\t0x01\t0x02\t0x0a\n", [1, 2, 10]),
    ] as [(String, [UInt8])]
  )
  func `text is hex or Base64`(text: String, bytes: [UInt8]) throws {
    #expect(try InputBytes.read(Array(text.utf8), as: .auto, name: "x") == bytes)
  }

  @Test func `text is taken for what an import takes it for, or refused with the reason`() {
    for (input, message) in [
      (Array("0102\n01 0g".utf8), "x:2:5: pairs of hex digits were expected"),
      (Array("Dear customer".utf8), "found other text"),
      ([0x16, 3, 1, 0, 5, 1], "begins with a TLS record"),
      (Array("\u{FEFF}{ \"apnsim\": \"journal\"".utf8), "found a native capture"),
    ] as [([UInt8], String)] {
      let failure = #expect(throws: CommandFailure.self) { try InputBytes.read(input, as: .auto, name: "x") }
      #expect(failure.map { "\($0)".contains(message) } == true, "\(failure)")
    }
  }

  @Test func `what holds more than frames is no stream of them, and hex that is none says where`()
    async throws
  {
    let folder = try TemporaryDirectory()
    for (name, found) in [
      ("clients.jsonl.gz", "a compressed file"), ("clients-plain.jsonl", "a native capture"),
      ("clients-plain.pcapng", "packets (pcapng)"), ("clients-tls.pcap", "packets (pcap"),
    ] {
      let capture = name.hasSuffix(".jsonl") ? folder.file(name) : Captures.path(name)
      if capture != Captures.path(name) {
        _ = try await Binary.run(["import", Captures.path("clients.jsonl.gz"), "-o", capture], in: folder)
      }
      let run = try await Binary.run(["decode", capture], in: folder)
      #expect(
        run.status == 2 && run.errors.contains("expected protocol bytes, found \(found)"),
        "\(run)"
      )
    }
    for options in [["--format", "hex"], []] {
      let digits = "0102030405060708\n01 0g\n"
      let run = try await Binary.run(["decode", try folder.write("a.hex", digits)] + options, in: folder)
      #expect(run.status == 2 && run.errors.contains("a.hex:2:5: "), "\(run.errors)")
    }
  }

  @Test func `settings that are about serving are none of its business`() async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("frame.hex", "02 00000000")
    let environment = ["APNSIM_HOST": "apnsim", "APNSIM_SCENARIO": "/nope.yaml", "APNSIM_COMMANDS": "0,1"]
    let run = try await Binary.run(["decode", file], in: folder, environment: environment)
    #expect(run.status == 0 && run.output.contains("command byte 2 is not one of 0,1"), "\(run)")
  }

  @Test func `nothing is made out after a frame of no bytes`() throws {
    let pieces = try pieces("02 00000000 01 02 03")
    #expect(pieces.map(\.range) == [0..<5, 5..<8])
    guard case .unreadable? = pieces.last?.kind else {
      Issue.record("\(pieces)")
      return
    }
  }

  @Test func `anything that is no text is taken as it is`() throws {
    for bytes in [[0, 1, 2], [8, 5, 0, 0, 0, 1], [0x4F, 1]] as [[UInt8]] {
      #expect(try InputBytes.read(bytes, as: .auto, name: "x") == bytes)
    }
    #expect(throws: CommandFailure.self) { try InputBytes.read([0, 1, 2], as: .hex, name: "x") }
    #expect(try InputBytes.read(Array("0102".utf8), as: .raw, name: "x") == Array("0102".utf8))
  }

  @Test func `each frame gets its own verdict`() throws {
    let pieces = try pieces(
      "01 01020304 7fffffff 001f" + String(repeating: "ab", count: 31) + "0002 7b7d" + simple
    )
    #expect(pieces.map(\.isRefused) == [true, true])
    #expect(
      pieces[0].text(number: 1, .plain)[0]
        == "frame 1 at 0, 46 bytes: refused with 080501020304: status 5, Invalid token size"
    )
    #expect(
      pieces[1].text(number: 2, .plain)[0]
        == "frame 2 at 46, 39 bytes: refused without an answer: status 1, Processing error"
    )
    var summary = DecodeSummary()
    for piece in pieces { summary.add(piece) }
    #expect(
      summary.text
        == "2 frames: 0 accepted, 2 refused; on one connection, everything after frame 1 would be discarded"
    )
  }

  @Test func `no frame is refused for the connections of those before it`() throws {
    let frames = String(repeating: simple, count: 50)
    #expect(try pieces(frames) { $0.enforce = true }.count == 50)
  }

  @Test func `settings change the verdict`() throws {
    #expect(try pieces(simple) { $0.payload = .lenient }.map(\.isRefused) == [false])
    #expect(
      try pieces("02 00000001 01") { $0.commands = [.simple] }.first?.text(number: 1, .plain)[0].contains(
        "08ff00000000"
      ) == true
    )
  }

  @Test func `a stream that breaks off says where`() throws {
    let pieces = try pieces(simple + "0000")
    #expect(pieces.map(\.range) == [0..<39, 39..<41])
    #expect(
      pieces[1].text(number: 2, .plain).joined(separator: "\n") == """
        rest at 39, 2 bytes: incomplete
          000027  00 00  unread  the frame is incomplete
        """
    )
  }

  @Test func `a declared length that decides is judged although the body is not there`() throws {
    let pieces = try pieces("01 00000007 00000000 0000")
    #expect(pieces.map(\.isRefused) == [true])
    #expect(pieces[0].json(number: 1).contains(#""verdict":"refused","answer":"080200000007""#))
  }

  @Test func `nothing is read after an unknown command`() throws {
    let pieces = try pieces("47 4554")
    #expect(pieces.map(\.range) == [0..<1, 1..<3])
    guard case .unreadable = pieces[1].kind else {
      Issue.record("expected the rest to be unreadable")
      return
    }
  }

  @Test func `replies are taken apart`() {
    var responses: [String] = []
    ReplyDecoder.responses([8, 8, 0, 0, 0, 3, 8]) { responses.append($0.json) }
    #expect(
      responses == [
        #"{"offset":0,"status":8,"name":"Invalid token","identifier":"00000003"}"#,
        #"{"offset":6,"unread":"08"}"#,
      ]
    )
    var tuples: [String] = []
    ReplyDecoder.tuples([0x4F, 0xC8, 6, 0, 0, 1, 0xAB, 0]) { tuples.append($0.json) }
    #expect(
      tuples == [
        #"{"offset":0,"timestamp":1338508800,"time":"2012-06-01T00:00:00.000Z","token":"ab"}"#,
        #"{"offset":7,"unread":"00"}"#,
      ]
    )
  }
}
