import APNSimCapture
import APNSimCore
import APNSimGzip
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimImport

/// The entries that an import gave, in memory.
final class ImportSpy {
  var entries: [CaptureEntry] = []
  func write(_ entry: CaptureEntry) { entries.append(entry) }

  /// Imports files and returns what was written of them and said about them.
  static func run(
    _ paths: [String],
    _ configure: (inout ImportOptions) -> Void = { _ in }
  ) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
    let spy = ImportSpy()
    var options = ImportOptions()
    configure(&options)
    var capture = CaptureImport(options, identity: { _ in nil }, write: spy.write)
    try capture.read(paths)
    return (spy.entries, capture.finish())
  }
}

@Suite struct `Importing captures` {
  private let folder: TemporaryDirectory
  private let frame: [UInt8] = [0, 0, 2, 0xAA, 0xBB, 0, 2, 0x7B, 0x7D]

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func bytesIn(_ entries: [CaptureEntry]) -> [ConnectionID: [UInt8]] {
    var found: [ConnectionID: [UInt8]] = [:]
    for entry in entries {
      if case .bytesIn(let id, let bytes, _, _) = entry.kind { found[id, default: []] += bytes }
    }
    return found
  }

  @Test func `each file of raw bytes is a connection`() throws {
    let first = try folder.write("one", frame + frame)
    let second = try folder.write("two", frame)
    let (entries, summary) = try ImportSpy.run([first, second]) {
      $0.topic = "com.example.other"
      $0.start = Timestamp(seconds: 1_338_508_800)
    }
    #expect(
      bytesIn(entries) == [ConnectionID(rawValue: 1): frame + frame, ConnectionID(rawValue: 2): frame]
    )
    #expect(summary.frames == 3 && summary.connections == 2 && summary.unreadableTails == 0)
    #expect(summary.topics == ["com.example.other"] && summary.assumedTopic == nil)
    #expect(Set(entries.map(\.time)) == [Timestamp(seconds: 1_338_508_800)])
    #expect(
      entries.filter { $0.kind == .connectionClosed(ConnectionID(rawValue: 1), .peerClosed) }.count == 1
    )
  }

  @Test func `the connections of a summary are those of its listeners`() throws {
    var summary = ImportSummary()
    (summary.gatewayConnections, summary.feedbackConnections, summary.deviceConnections) = (1, 2, 4)
    let json = try JSONValue.parse(summary.json)
    let counts = ["connections", "gatewayConnections", "feedbackConnections", "deviceConnections"]
    #expect(counts.map { json.member($0)?.intValue } == [7, 1, 2, 4])
  }

  @Test func `what a file is shows in its content`() throws {
    func kind(_ bytes: [UInt8]) throws -> CaptureKind? {
      try CaptureKind.of(bytes, name: "x")
    }
    #expect(try kind(frame) == .raw)
    #expect(try kind(Array("000002aabb00027b7d".utf8)) == .hex)
    #expect(try kind(CaptureBytes.pcapHeader(.big)) == .pcap)
    #expect(try kind(CaptureBytes.section(.little)) == .pcapng)
    #expect(try kind(Array(#"{"apnsim":"journal","version":1}"#.utf8)) == .journal)
    #expect(try kind(Array("\u{FEFF}\r\n \t\r\n{\"apnsim\":\"journal\"}\r\n".utf8)) == .journal)
    let tls = #expect(throws: ImportError.self) { try kind([0x16, 3, 1, 0, 5]) }
    #expect(tls?.description.contains("begins with a TLS record") == true)
    let text = #expect(throws: ImportError.self) { try kind(Array("GET / HTTP/1.1".utf8)) }
    #expect(text?.hints == ["--from raw|hex|pcap|pcapng|journal|har says what it is"])
    #expect(throws: ImportError.self) { try kind([]) }
  }

  @Test(arguments: [nil, CaptureKind.hex])
  func `a text without anything in it is empty`(kind: CaptureKind?) throws {
    let file = try folder.write("blank", Array("\n  \r\n\t\n".utf8))
    let failure = #expect(throws: ImportError.self) {
      _ = try ImportSpy.run([file]) { $0.kind = kind }
    }
    #expect(failure?.message == "is empty")
  }

  @Test(arguments: [(1_338_508_800.75, 1_338_508_800), (-1, -1)])
  func `raw bytes are of the second in which their file was written`(date: Double, second: Int64) throws {
    let file = try folder.write("x.bin", frame)
    let modified = Date(timeIntervalSince1970: date)
    try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: file)
    let (entries, _) = try ImportSpy.run([file])
    #expect(!entries.isEmpty && entries.allSatisfy { $0.time == Timestamp(seconds: second) })
  }

  private func packet(_ payload: [UInt8], sequence: UInt32, from: UInt16 = 50_000, to: UInt16 = 2195)
    -> [UInt8]
  {
    CaptureBytes.pcapPacket(
      .little,
      CaptureBytes.ethernet(
        CaptureBytes.ipv4(CaptureBytes.tcp(from: from, to: to, sequence: sequence, payload))
      )
    )
  }

  @Test func `a packet capture that breaks off is read up to there`() throws {
    let file = try folder.write(
      "x.pcap",
      CaptureBytes.pcapHeader(.little) + packet(frame, sequence: 1) + packet(frame, sequence: 10).dropLast(5)
    )
    let (entries, summary) = try ImportSpy.run([file])
    #expect(bytesIn(entries).values.first == frame)
    #expect(summary.damage.count == 1 && summary.damage[0].contains("breaks off inside a packet"))
    #expect(summary.assumedTopic == "com.example.app")
  }

  @Test func `a capture that goes on in the next file is one, as if it were in one file`() throws {
    let header = CaptureBytes.pcapHeader(.little)
    let syn = CaptureBytes.pcapPacket(
      .little,
      CaptureBytes.ethernet(
        CaptureBytes.ipv4(CaptureBytes.tcp(from: 50_000, to: 2195, sequence: 0, flags: [.syn]))
      )
    )
    let first = packet(Array(frame.prefix(5)), sequence: 1)
    let second = packet(Array(frame.dropFirst(5)), sequence: 6)
    let third = packet(frame, sequence: UInt32(1 + frame.count))
    let one = try folder.write("1.pcap", header + syn + first)
    let two = try folder.write("2.pcap", header + second)
    let three = try folder.write("3.pcap", header + third)
    let whole = try folder.write("all.pcap", header + syn + first + second + third)
    let (entries, summary) = try ImportSpy.run([one, two, three])
    let (expected, _) = try ImportSpy.run([whole])
    #expect(bytesIn(entries) == bytesIn(expected) && entries.count == expected.count)
    #expect(summary.files.map(\.packets) == [2, 1, 1] && summary.connections == 1)
    #expect(summary.frames == 2 && summary.gaps == 0 && summary.notes == [])
    let other = try folder.write("4.pcap", header + packet(frame, sequence: 10, from: 50_001))
    #expect(try ImportSpy.run([one, other]).summary.connections == 2)
  }

  @Test func `damage after packets that are not enough of a connection is what is said`() throws {
    let syn = CaptureBytes.pcapPacket(
      .little,
      CaptureBytes.ethernet(CaptureBytes.ipv4(CaptureBytes.tcp(from: 50_000, to: 2195, flags: [.syn])))
    )
    let damaged = CaptureBytes.pcapPacket(.little, []).prefix(8) + [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0]
    let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little) + syn + damaged)
    let failure = #expect(throws: ImportError.self) { _ = try ImportSpy.run([file]) }
    #expect(failure?.offset == 24 + syn.count + 8)
    #expect(failure?.message.contains("the file is damaged; before it there is no connection") == true)
  }

  @Test func `a file that can be read again is read up to its damage each time`() throws {
    func packet(_ port: UInt16, _ bytes: [UInt8]) -> [UInt8] {
      let segment = CaptureBytes.tcp(from: port, to: 2195, bytes)
      return CaptureBytes.enhancedPacket(
        .little,
        ticks: 1,
        CaptureBytes.ethernet(CaptureBytes.ipv4(segment))
      )
    }
    let section = CaptureBytes.section(.little) + CaptureBytes.interface(.little)
    // A block whose packet is longer than the block itself.
    let damaged = CaptureBytes.block(
      .little,
      6,
      [UInt8](repeating: 0, count: 12) + [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0]
    )
    let file = try folder.write(
      "x.pcapng",
      section + packet(50_000, [1]) + damaged + packet(50_001, [0x16, 3, 1, 0, 1])
    )
    for _ in 1...2 {
      var reading = try StreamReading([file], ImportOptions())
      var ports: [UInt16] = []
      while reading.next() { if let segment = reading.segment { ports.append(segment.source.port) } }
      #expect(ports == [50_000] && !reading.next())
    }
  }

  @Test func `a gap is an entry with its size, and frames are counted up to it`() throws {
    let file = try folder.write(
      "x.pcap",
      CaptureBytes.pcapHeader(.little) + packet(frame, sequence: 1) + packet(frame, sequence: 110)
    )
    let (entries, summary) = try ImportSpy.run([file])
    #expect(entries.contains { $0.kind == .bytesMissing(ConnectionID(rawValue: 1), .in, count: 100) })
    // It begins in the middle, too: there is no handshake.
    #expect(summary.gaps == 2 && summary.missingBytes == 100 && summary.connectionsWithGaps == 1)
    #expect(summary.gapPlaces.map(\.offset) == [0, 9] && summary.gapPlaces.map(\.count) == [0, 100])
    #expect(summary.gapPlaces.map(\.isBeginning) == [true, false])
    #expect(
      summary.gapPlaces.allSatisfy { $0.connection == ConnectionID(rawValue: 1) && $0.direction == .in }
    )
  }

  @Test(arguments: [("00.000", "00.000", true), ("00.000", "00.012", false)])
  func `what is lost of a connection's first bytes is not what came before the capture`(
    begin: String,
    lost: String,
    isBeginning: Bool
  ) throws {
    let lines = [
      #"{"apnsim":"journal","version":1,"source":{"kind":"pcap","name":"x"}}"#,
      #"{"seq":1,"time":"2012-06-01T00:00:\#(begin)Z","event":"connectionOpened","connection":"c1","#
        + #""listener":"gateway","provider":{"topic":"com.example.app"},"answersSeen":true}"#,
      #"{"seq":2,"time":"2012-06-01T00:00:\#(lost)Z","event":"bytesMissing","connection":"c1","direction":"in","count":0}"#,
    ]
    let file = try folder.write("x.jsonl", Array((lines.joined(separator: "\n") + "\n").utf8))
    for files in [[file], [file, file]] {
      let (_, summary) = try ImportSpy.run(files)
      #expect(summary.gapPlaces.map(\.isBeginning) == files.map { _ in isBeginning })
    }
  }

  @Test func `a capture without anything of ours says what it lacks`() throws {
    func failure(_ packets: [UInt8], _ link: UInt32 = 1) throws -> String {
      let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little, link: link) + packets)
      return #expect(throws: ImportError.self) { _ = try ImportSpy.run([file]) }?.message ?? ""
    }
    #expect(
      try failure(packet([0x16, 3, 3, 0, 1, 0], sequence: 1)).contains("expected, found 1 TLS connection")
    )
    #expect(
      try failure(packet(frame, sequence: 1, to: 9000)).contains("nothing tells which side is the gateway")
    )
    #expect(
      try failure(packet(frame, sequence: 1), 147).contains(
        "link type 147 is not understood; expected Ethernet (1)"
      )
    )
    #expect(try failure([]) == "a capture with packets was expected, found none")
    let cut = CaptureBytes.pcapPacket(
      .little,
      wireLength: 90,
      Array(CaptureBytes.ethernet(CaptureBytes.ipv4(CaptureBytes.tcp(from: 50_000, to: 2195))).prefix(40))
    )
    #expect(
      try failure(cut + cut)
        == "2 of 2 packets cut off before the end of the TCP header: the capture kept at most 40 bytes of each (the snap length)"
    )
  }

  @Test func `a native capture is read as well`() throws {
    let (entries, _) = try ImportSpy.run([try folder.write("one", frame)])
    var writer = CaptureWriter(CaptureHeader())
    for entry in entries { writer.write(entry) }
    let journal = try folder.write("x.jsonl", writer.takeLines())
    let (again, summary) = try ImportSpy.run([journal, journal])
    #expect(bytesIn(again) == [ConnectionID(rawValue: 1): frame, ConnectionID(rawValue: 2): frame])
    #expect(summary.files.map(\.kind) == [.journal, .journal])
  }

  /// Gzip whose end is missing: all of the bytes are in it.
  private func compressedAndCut(_ bytes: [UInt8]) throws -> [UInt8] {
    var compressed: [UInt8] = []
    try bytes.withUnsafeBytes { bytes in
      try GzipDeflater(level: 3).deflate(bytes, .sync) { compressed += $0 }
    }
    return compressed
  }

  @Test func `what was compressed and cut off is read up to there, whatever it holds`() throws {
    var writer = CaptureWriter(CaptureHeader())
    let (entries, _) = try ImportSpy.run([try folder.write("one", frame)])
    for entry in entries { writer.write(entry) }
    let journal = writer.takeLines()
    let pcap = CaptureBytes.pcapHeader(.little) + packet(frame, sequence: 1)
    for (name, bytes) in [("x.jsonl", journal), ("x.pcap", pcap)] {
      let (again, summary) = try ImportSpy.run([try folder.write(name + ".gz", compressedAndCut(bytes))])
      #expect(bytesIn(again) == [ConnectionID(rawValue: 1): frame], "\(name)")
      #expect(summary.damage.count == 1, "\(summary.damage)")
    }
    // Of a stream all is wanted: a part of it would pass for the whole.
    let stream = try folder.write("x.raw.gz", compressedAndCut(frame))
    let error = #expect(throws: ImportError.self) { try ImportSpy.run([stream]) }
    #expect(error?.message.contains("ends before its text does") == true, "\(String(describing: error))")
  }
}
