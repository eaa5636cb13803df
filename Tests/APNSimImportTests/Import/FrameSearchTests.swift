import APNSimCapture
import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimImport

@Suite struct `Frames after bytes that are missing` {
  private static let payload = Array(#"{"aps":{"alert":"Hi"},"n":12}"#.utf8)
  private static let token = (0..<32).map { UInt8($0 &* 7) }
  private static let simple: [UInt8] = [0, 0, 32] + token + [0, UInt8(payload.count)] + payload
  private static let enhanced: [UInt8] =
    [1, 0, 0, 0, 9, 0x7F, 0xFF, 0xFF, 0xFF, 0, 32] + token + [0, UInt8(payload.count)] + payload
  private static let framed: [UInt8] = {
    let items: [UInt8] =
      [1, 0, 32] + token + [2, 0, UInt8(payload.count)] + payload + [3, 0, 4, 0, 0, 0, 9]
    return [2, 0, 0, 0, UInt8(items.count)] + items
  }()

  /// The place of a frame in bytes that come in pieces of a length; nil for nowhere.
  private static func place(in bytes: [UInt8], pieces length: Int) -> Int? {
    var search = FrameSearch()
    var passed = 0
    var rest = bytes[...]
    while !rest.isEmpty {
      switch search.receive(Array(rest.prefix(length))) {
      case .passed(let bytes): passed += bytes.count
      case .found(let bytes, let frames):
        #expect(
          Array((bytes + frames).prefix(frames.count + bytes.count)).suffix(frames.count) == frames[...]
        )
        return passed + bytes.count
      }
      rest = rest.dropFirst(length)
      #expect(search.held.count < 4500)
    }
    return nil
  }

  @Test(arguments: [simple, enhanced, framed]) func `frames after a gap are found wherever the gap ended`(
    frame: [UInt8]
  ) {
    let stream = frame + frame
    for lost in frame.indices {
      for length in [1, 7, 64, stream.count] {
        let place = Self.place(in: Array(stream[lost...]), pieces: length)
        #expect(place == (lost == 0 ? 0 : frame.count - lost), "\(lost) bytes lost, \(length) at a time")
      }
    }
  }

  @Test func `frames after a gap are not seen in anything else`() {
    var random = SeededGenerator(seed: 4)
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(Self.place(in: noise, pieces: 1000) == nil)
    #expect(Self.place(in: [UInt8](repeating: 0, count: 9000), pieces: 500) == nil)
    #expect(Self.place(in: Array(Self.payload + Self.payload), pieces: 9) == nil)
    // A payload that is no JSON, or no object, is passed over.
    let bad: [UInt8] = [0, 0, 32] + Self.token + [0, 2] + Array("{]".utf8)
    let list: [UInt8] = [0, 0, 32] + Self.token + [0, 2] + Array("[]".utf8)
    #expect(Self.place(in: bad + list + Self.simple, pieces: 50) == bad.count + list.count)
  }

  private func packets(_ pieces: [(sequence: UInt32, payload: [UInt8])], from first: UInt32 = 1) -> [UInt8] {
    CaptureBytes.pcapHeader(.little)
      + pieces.enumerated().flatMap { index, piece in
        CaptureBytes.pcapPacket(
          .little,
          seconds: 1_338_508_800 + UInt32(index) * 10,
          CaptureBytes.ethernet(
            CaptureBytes.ipv4(
              CaptureBytes.tcp(from: 50_000, to: 2195, sequence: piece.sequence, piece.payload)
            )
          )
        )
      }
  }

  @Test func `frames after a gap make an import of a connection that was open before the capture began`()
    throws
  {
    let folder = try TemporaryDirectory()
    let count = UInt32(Self.enhanced.count)
    let tail = Array(Self.enhanced.suffix(20))
    let file = try folder.write(
      "x.pcap",
      packets([
        (1, tail), (21, Self.enhanced), (21 + count, Self.framed),
        (21 + count + UInt32(Self.framed.count), []),
      ])
    )
    let (entries, summary) = try ImportSpy.run([file])
    let id = ConnectionID(rawValue: 1)
    #expect(
      entries.dropFirst().map(\.kind) == [
        .bytesMissing(id, .in, count: 0), .bytesIn(id, tail, dropped: 0, notification: nil), .framesFound(id),
        .bytesIn(id, Self.enhanced, dropped: 0, notification: nil),
        .bytesIn(id, Self.framed, dropped: 0, notification: nil), .captureEnded,
      ]
    )
    #expect(
      summary.frames == 2 && summary.resumed == 1
        && summary.bytesIn == tail.count + Int(count) + Self.framed.count
    )
    // The last packet says how long the capture goes on.
    #expect(entries.last?.time == Timestamp(seconds: 1_338_508_830))
    let digest = try digest(entries)
    #expect(digest.items.map(\.label) == ["00000009", "00000009"] && digest.broken == [id])
  }

  /// The digest that a diff makes of entries, once they are redacted as well.
  private func digest(_ entries: [CaptureEntry]) throws -> CaptureDigest {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "x")
    var writer = CaptureWriter(header)
    for entry in entries { writer.write(entry) }
    let plain = writer.takeLines()
    let redactor = JournalRedactor(TokenPseudonyms { $0.map { $0 ^ 0x5A } })
    let redacted = plain.withUnsafeBytes { redactor.redact($0) } + redactor.finish()
    let (one, two) = (
      CaptureDigest(try CaptureReader(name: "x", bytes: plain), isFilled: true),
      CaptureDigest(try CaptureReader(name: "y", bytes: redacted), isFilled: true)
    )
    #expect(CaptureDiff(one, two, comparesTimes: true, comparesConnections: true).isSame)
    return one
  }

  @Test func `frames after a gap come to the end of the file with what waits, and after a second gap again`()
    throws
  {
    let folder = try TemporaryDirectory()
    let count = UInt32(Self.simple.count)
    let beginning = Array(Self.enhanced.prefix(30))
    let pieces: [(UInt32, [UInt8])] = [
      (1, Self.simple), (1 + 2 * count, Self.simple), (1 + 4 * count, beginning),
    ]
    let (entries, summary) = try ImportSpy.run([try folder.write("x.pcap", packets(pieces))])
    let id = ConnectionID(rawValue: 1)
    #expect(summary.frames == 2 && summary.resumed == 2 && summary.gaps == 3)
    #expect(
      entries.map(\.kind).suffix(2) == [
        .bytesIn(id, beginning, dropped: 0, notification: nil), .captureEnded,
      ]
    )
  }

  /// A native capture of packets, whose one connection has the beginning of a frame after missing bytes.
  private func native(_ beginning: [UInt8], _ kinds: [CaptureEntry.Kind] = []) -> [UInt8] {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "x")
    var writer = CaptureWriter(header)
    let id = ConnectionID(rawValue: 1)
    let provider = ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "")
    let opened = CapturedConnection(id: id, listener: .gateway, peer: "", provider: provider)
    let bytes = CaptureEntry.Kind.bytesIn(id, beginning, dropped: 0, notification: nil)
    for kind in [.connectionOpened(opened), .bytesMissing(id, .in, count: 10), bytes] + kinds {
      writer.write(CaptureEntry(time: Timestamp(seconds: 1_338_508_800), kind: kind))
    }
    return writer.takeLines()
  }

  @Test func `frames after a gap come to the end of each of several native captures with what waits`() throws
  {
    let folder = try TemporaryDirectory()
    let beginning = Array(Self.enhanced.prefix(30))
    let again = CaptureEntry.Kind.connectionOpened(
      CapturedConnection(
        id: ConnectionID(rawValue: 1),
        listener: .gateway,
        peer: "",
        provider: ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "")
      )
    )
    let paths = try [[], [.captureEnded], [again]].enumerated().map {
      try folder.write("\($0.offset).jsonl", native(beginning, $0.element))
    }
    let (entries, summary) = try ImportSpy.run(paths)
    let bytes = { (id: UInt32) in
      CaptureEntry.Kind.bytesIn(ConnectionID(rawValue: id), beginning, dropped: 0, notification: nil)
    }
    #expect(entries.map(\.kind).filter { $0 == bytes(1) || $0 == bytes(2) || $0 == bytes(3) }.count == 3)
    #expect(entries[5].kind == bytes(2) && entries[6].kind == .captureEnded)
    #expect(summary.connections == 4 && summary.bytesIn == 90)
  }

  @Test func `frames after a gap come out with what waits before whatever ends the search`() {
    let id = ConnectionID(rawValue: 1)
    let held = Array(Self.enhanced.prefix(30))
    let bytes = { (bytes: [UInt8], dropped: Int) in
      CaptureEntry.Kind.bytesIn(id, bytes, dropped: dropped, notification: nil)
    }
    let provider = ProviderIdentity(topics: [], environment: .production, subject: "")
    let opened = CapturedConnection(id: id, listener: .gateway, peer: "", provider: provider)
    for kind in [
      bytes([1], 7), .bytesMissing(id, .in, count: 1), .framesFound(id), .connectionClosed(id, .reset),
      .connectionOpened(opened), .captureEnded,
    ] {
      var searches = FrameSearches()
      _ = searches.take(.bytesMissing(id, .in, count: 1)) { _ in true }
      let taken = [bytes(held, 0), .bytesOut(id, [8]), kind].map { searches.take($0) { _ in true } }
      #expect(taken == [[], [.bytesOut(id, [8])], [bytes(held, 0), kind]])
      let rest = searches.end()
      #expect(rest == [])
    }
  }

  @Test func `captures in the wrong order are said to be, and the whole time is told`() throws {
    let folder = try TemporaryDirectory()
    let late = try folder.write(
      "cap10.pcap",
      packets([(1, Self.simple), (1 + UInt32(Self.simple.count), Self.simple)])
    )
    let early = try folder.write(
      "cap2.pcap",
      CaptureBytes.pcapHeader(.little)
        + CaptureBytes.pcapPacket(
          .little,
          seconds: 1_338_508_000,
          CaptureBytes.ethernet(
            CaptureBytes.ipv4(CaptureBytes.tcp(from: 50_001, to: 2195, sequence: 1, Self.simple))
          )
        )
    )
    let (_, summary) = try ImportSpy.run([late, early])
    #expect(
      summary.notes.contains { $0.hasPrefix("cap2.pcap begins at 2012-05-31T23:46:40.000Z, before the end") }
    )
    #expect(
      summary.start == Timestamp(seconds: 1_338_508_000) && summary.end == Timestamp(seconds: 1_338_508_810)
    )
    #expect(try !ImportSpy.run([early, late]).summary.notes.contains { $0.contains("before the end") })
  }
}
