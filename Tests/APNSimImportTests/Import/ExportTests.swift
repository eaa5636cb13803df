import APNSimCapture
import APNSimCore
import APNSimProperties
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimImport

@Suite struct `Exporting captures` {
  private func opened(_ id: UInt32, _ listener: Listener, _ peer: String) -> CaptureEntry.Kind {
    .connectionOpened(
      CapturedConnection(
        id: ConnectionID(rawValue: id),
        listener: listener,
        peer: peer,
        provider: ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "CN=x")
      )
    )
  }

  /// Exports entries that are a second apart, but for what is missing in front of a connection's first bytes.
  private func export(_ kinds: [CaptureEntry.Kind], isRecording: Bool = true) -> [UInt8] {
    var export = CaptureExport(application: "test", comment: "test", isRecording: isRecording)
    var second: Int64 = 1_338_508_800
    var isOpening = true
    for kind in kinds {
      if case .bytesMissing = kind, isOpening { second -= 1 }
      export.add(CaptureEntry(time: Timestamp(seconds: second), kind: kind))
      second += 1
      if case .connectionOpened = kind { isOpening = true } else { isOpening = false }
    }
    export.finish()
    return export.takeBytes()
  }

  private func story(_ kinds: [CaptureEntry.Kind]) -> [String] {
    ImportProperty.text(ImportProperty.read(export(kinds)))
  }

  /// A request whose body is said to be so long, and is not there.
  private func bodiless(_ stream: UInt32, _ count: Int) -> CaptureEntry.Kind {
    let request = ProviderRequest(
      stream: stream,
      headers: [(name: Array(":path".utf8), value: Array("/3/device/ab".utf8))],
      body: [],
      bodyByteCount: count,
      authorization: RequestAuthorization()
    )
    return .stream(c1, .request(request.bytes))
  }

  @Test func `bodies that are not there are made up to what a service reads, and not without end`() {
    var export = CaptureExport(application: "test", comment: "test", isRecording: false)
    let time = Timestamp(seconds: 1_338_508_800)
    export.add(CaptureEntry(time: time, kind: opened(1, .http2, "10.0.0.9:1")))
    var size = 0
    for stream in 1...2000 as ClosedRange<UInt32> {
      export.add(CaptureEntry(time: time, kind: bodiless(2 * stream - 1, 1 << 60)))
      size += export.takeBytes().count
    }
    export.finish()
    #expect(size > 16 << 20 && size < 20 << 20, "\(size)")
    #expect(
      export.notes == [
        "16,777,216 bytes of bodies are not in the capture and made up with zeros",
        "976 requests with no more of the body than the capture has: at most 16 MiB are made up",
      ]
    )
  }

  private let c1 = ConnectionID(rawValue: 1)
  private let c2 = ConnectionID(rawValue: 2)
  private let c3 = ConnectionID(rawValue: 3)

  @Test(
    arguments: ["10.1.2.3:50000", "127.0.0.1:50000", "[2001:db8::7]:50000", "[::1]:50000"]
  )
  func `what is exported is imported again, byte for byte`(peer: String) {
    let long = [UInt8](repeating: 1, count: 5000)
    #expect(
      story([
        opened(1, .gateway, peer), .bytesIn(c1, long, dropped: 0, notification: nil),
        opened(2, .feedback, "10.0.0.9:1"), .bytesOut(c2, [0, 0, 0, 1, 0, 1, 7]),
        .bytesOut(c1, [8, 5, 0, 0, 0, 1]), .connectionClosed(c1, .simulatorClosed),
        .connectionClosed(c2, .reset), opened(3, .gateway, "10.0.0.9:2"),
        .connectionClosed(c3, .reset, byService: true),
      ]) == [
        "c1 opened gateway production \(peer)", "c1 provider " + String(repeating: "01", count: 1460),
        "c1 provider " + String(repeating: "01", count: 1460),
        "c1 provider " + String(repeating: "01", count: 1460),
        "c1 provider " + String(repeating: "01", count: 620), "c2 opened feedback production 10.0.0.9:1",
        "c2 service 00000001000107", "c1 service 080500000001", "c1 closed, service first",
        "c2 reset by provider", "c3 opened gateway production 10.0.0.9:2", "c3 reset by service",
      ]
    )
  }

  /// As an import writes it.
  private func imported(areAnswersSeen: Bool) -> CapturedConnection {
    var connection = CapturedConnection(
      id: c1,
      listener: .gateway,
      peer: "10.0.0.1:5",
      provider: ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "")
    )
    (connection.areAnswersSeen, connection.ordinal) = (areAnswersSeen, 1)
    return connection
  }

  @Test(arguments: [true, false], [ClosingReason.peerClosed, .reset, nil])
  func `a service that the capture does not show is not there after an export either`(
    isSeen: Bool,
    reason: ClosingReason?
  ) throws {
    let folder = try TemporaryDirectory()
    let connection = imported(areAnswersSeen: isSeen)
    let bytes = CaptureEntry.Kind.bytesIn(c1, [1, 2], dropped: 0, notification: nil)
    let kinds = [.connectionOpened(connection), bytes] + (reason.map { [.connectionClosed(c1, $0)] } ?? [])
    let exported = export(kinds, isRecording: false)
    var providers: Set<Bool> = []
    var reader = try PacketReader(CaptureInput(name: "", bytes: exported))
    while let packet = try reader.next() {
      if case .segment(let segment) = PacketContent(packet) { providers.insert(segment.source.port == 5) }
    }
    #expect(providers == (isSeen ? [true, false] : [true]))
    let (entries, _) = try ImportSpy.run([try folder.write("x.pcapng", exported)]) {
      $0.topic = "com.example.app"
    }
    #expect(entries.map(\.kind) == kinds + [.captureEnded])
    #expect(
      entries.map(\.time.seconds).prefix(kinds.count) == kinds.indices.map { 1_338_508_800 + Int64($0) }[...]
    )
  }

  @Test func `connections without an address get one that no other has`() {
    #expect(
      story([
        opened(1, .gateway, "10.0.0.2:49152"), opened(2, .gateway, ""),
        .bytesIn(c1, [1], dropped: 0, notification: nil), .bytesIn(c2, [2], dropped: 0, notification: nil),
        .connectionClosed(c1, .peerClosed), .connectionClosed(c2, .peerClosed),
      ]) == [
        "c1 opened gateway production 10.0.0.2:49152", "c1 provider 01",
        "c2 opened gateway production 10.0.0.3:49152", "c2 provider 02",
        "c1 closed, provider first", "c2 closed, provider first",
      ]
    )
  }

  @Test func `a gap stays a gap, and a beginning that is not known stays unknown`() {
    #expect(
      story([
        opened(1, .gateway, ""), .bytesMissing(c1, .in, count: 0),
        .bytesIn(c1, [1], dropped: 0, notification: nil), .bytesMissing(c1, .in, count: 77),
        .bytesIn(c1, [2], dropped: 0, notification: nil), .connectionClosed(c1, .peerClosed),
      ]) == [
        "c1 opened gateway production 10.0.0.1:49152, in the middle", "c1 provider missing ?",
        "c1 provider 01",
        "c1 provider missing 77", "c1 provider 02", "c1 closed, provider first",
      ]
    )
  }

  @Test func `bytes that are lost after the opening do not take it away`() {
    var export = CaptureExport(application: "test", comment: "test", isRecording: true)
    let kinds: [CaptureEntry.Kind] = [
      opened(1, .gateway, "10.0.0.1:5"), .bytesMissing(c1, .in, count: 0), .bytesOut(c1, [8]),
      .connectionClosed(c1, .peerClosed),
    ]
    for (index, kind) in kinds.enumerated() {
      export.add(CaptureEntry(time: Timestamp(rawValue: 1_338_508_800_000 + Int64(index)), kind: kind))
    }
    export.finish()
    #expect(
      ImportProperty.text(ImportProperty.read(export.takeBytes())) == [
        "c1 opened gateway production 10.0.0.1:5", "c1 service 08", "c1 provider missing 1",
        "c1 closed, provider first",
      ]
    )
  }

  @Test(arguments: [1, 2, 69, 5000], [true, false])
  func `what is missing at the end of a connection that stays open is there after an export`(
    count: Int,
    isSeen: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let connection = imported(areAnswersSeen: isSeen)
    let bytes = CaptureEntry.Kind.bytesIn(c1, [1, 2], dropped: 0, notification: nil)
    let missing = CaptureEntry.Kind.bytesMissing(c1, .in, count: count)
    for kinds in [
      [.connectionOpened(connection), bytes, missing],
      [.connectionOpened(connection), bytes, missing, bytes, missing],
    ] {
      let file = try folder.write("x.pcapng", export(kinds, isRecording: false))
      let (entries, _) = try ImportSpy.run([file]) { $0.topic = "com.example.app" }
      #expect(entries.map(\.kind) == kinds + [.captureEnded])
    }
    guard isSeen else { return }
    let both = [.connectionOpened(connection), bytes, .bytesMissing(c1, .out, count: count)] + [missing]
    let file = try folder.write("x.pcapng", export(both, isRecording: false))
    let (entries, _) = try ImportSpy.run([file]) { $0.topic = "com.example.app" }
    #expect(entries.count == 5 && Set(both).isSubset(of: Set(entries.map(\.kind))))
    let again = try folder.write(
      "x.pcapng",
      export(both + [.connectionOpened(connection)], isRecording: false)
    )
    let (reopened, _) = try ImportSpy.run([again]) { $0.topic = "com.example.app" }
    #expect(reopened.count { if case .bytesMissing(_, _, count) = $0.kind { true } else { false } } == 2)
  }

  @Test func `answers that are missing after the opening say nothing of the beginning`() {
    #expect(
      story([
        opened(1, .gateway, "10.0.0.1:5"), .bytesMissing(c1, .out, count: 0), .bytesOut(c1, [8]),
        .connectionClosed(c1, .peerClosed),
      ]) == [
        "c1 opened gateway production 10.0.0.1:5", "c1 service missing 1", "c1 service 08",
        "c1 closed, provider first",
      ]
    )
  }

  @Test func `packets stand in the order of their times, and a connection on which nothing happens is there`()
    throws
  {
    let bytes = export([
      opened(1, .gateway, "10.0.0.1:5"), opened(2, .gateway, "10.0.0.2:5"),
      .bytesIn(c2, [1], dropped: 0, notification: nil), opened(3, .gateway, ""),
      .bytesMissing(c3, .in, count: 0),
      .bytesOut(c3, [8]), .bytesIn(c1, [2], dropped: 0, notification: nil),
      opened(4, .feedback, "10.0.0.4:5"),
    ])
    var times: [Timestamp] = []
    var reader = try PacketReader(CaptureInput(name: "", bytes: bytes))
    while let packet = try reader.next() { times.append(packet.time) }
    #expect(times.count == 15 && times == times.sorted())
    #expect(
      ImportProperty.text(ImportProperty.read(bytes)) == [
        "c1 opened gateway production 10.0.0.2:5", "c1 provider 01",
        "c2 opened gateway production 10.0.0.1:5",
        "c2 provider 02", "c3 opened gateway production 10.0.0.3:49152, in the middle",
        "c3 provider missing ?",
        "c3 service 08", "c4 opened feedback production 10.0.0.4:5",
      ]
    )
  }

  @Test(arguments: [100_000_000, 1 << 32, Int.max])
  func `a gap of more than a window reaches stays one`(count: Int) {
    let hole = 32 << 20
    #expect(
      story([
        opened(1, .gateway, "10.0.0.1:5"), .bytesIn(c1, [1], dropped: 0, notification: nil),
        .bytesMissing(c1, .in, count: count), .bytesMissing(c1, .in, count: count),
        .bytesMissing(c1, .in, count: count), .bytesIn(c1, [2], dropped: 0, notification: nil),
        .connectionClosed(c1, .peerClosed),
      ]) == [
        "c1 opened gateway production 10.0.0.1:5", "c1 provider 01", "c1 provider missing \(hole)",
        "c1 provider 02", "c1 closed, provider first",
      ]
    )
    for side in ["provider", "service"] {
      #expect(
        story([
          opened(1, .gateway, "10.0.0.1:5"), .bytesIn(c1, [1], dropped: 0, notification: nil),
          .bytesMissing(c1, .out, count: count),
          .connectionClosed(c1, .reset, byService: side == "service"),
        ]) == [
          "c1 opened gateway production 10.0.0.1:5", "c1 provider 01", "c1 service missing \(hole)",
          "c1 reset by \(side)",
        ]
      )
    }
  }

  @Test func `a packet's comment tells how much is missing before it, also before a reset`() {
    let endings: [CaptureEntry.Kind] = [
      .bytesIn(c1, [2], dropped: 0, notification: nil), .connectionClosed(c1, .reset),
    ]
    for ending in endings {
      let bytes = export([
        opened(1, .gateway, ""), .bytesMissing(c1, .in, count: 0), .bytesMissing(c1, .in, count: 1 << 32),
        ending,
      ])
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("the capture begins inside the connection"))
      #expect(text.contains("4294967296 bytes are missing before this"))
    }
  }

  /// The comments of packets after the handshake, with the port that each comes from.
  private func comments(_ kinds: [CaptureEntry.Kind]) throws -> [String] {
    let bytes = export([opened(1, .gateway, "10.0.0.1:5")] + kinds)
    let begin = export([opened(1, .gateway, "10.0.0.1:5")]).count
    var comments: [String] = []
    var place = begin
    func number(_ place: Int) -> Int {
      Int(
        UInt32(littleEndian: bytes[place..<place + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
      )
    }
    while place < bytes.count {
      let (length, captured) = (number(place + 4), number(place + 20))
      let packet = bytes[place + 28..<place + 28 + captured]
      let option = place + 28 + (captured + 3) / 4 * 4
      if option + 4 < place + length {
        let size = number(option) >> 16
        let port = Int(packet[packet.startIndex + 20]) << 8 | Int(packet[packet.startIndex + 21])
        comments.append(
          "\(port): " + String(decoding: bytes[option + 4..<option + 4 + size], as: UTF8.self)
        )
      }
      place += length
    }
    return comments
  }

  @Test func `what is missing stands on the packet after it, of its own side, and all of it`() throws {
    let one = CaptureEntry.Kind.bytesIn(c1, [1], dropped: 0, notification: nil)
    let missing = { (side: CaptureDirection, count: Int) in
      CaptureEntry.Kind.bytesMissing(self.c1, side, count: count)
    }
    #expect(
      try comments([missing(.in, 10), missing(.in, 20), missing(.out, 5), .bytesOut(c1, [8]), one]) == [
        "2195: 5 bytes are missing before this", "5: 30 bytes are missing before this",
      ]
    )
    #expect(
      try comments([one, missing(.in, 0), one, missing(.in, 3), missing(.in, 0), one]) == [
        "5: bytes are missing, nobody knows how many", "5: at least 3 bytes are missing before this",
      ]
    )
    #expect(
      try comments([missing(.out, 7), .connectionClosed(c1, .reset)]) == [
        "2195: 7 bytes are missing before this", "5: closed: reset",
      ]
    )
    #expect(try comments([one, missing(.in, 7)]) == ["5: 7 bytes are missing up to here"])
  }

  @Test func `a name that is given again takes its connection's address, and is another connection`() {
    let bytes = { (byte: UInt8) in CaptureEntry.Kind.bytesIn(self.c1, [byte], dropped: 0, notification: nil) }
    #expect(
      story([opened(1, .gateway, ""), bytes(1), opened(1, .gateway, ""), bytes(2)]) == [
        "c1 opened gateway production 10.0.0.1:49152", "c1 provider 01", "c1 closed unseen",
        "c2 opened gateway production 10.0.0.1:49152", "c2 provider 02",
      ]
    )
  }

  @Test func `two connections with one address are kept apart`() {
    let found = story([
      opened(1, .gateway, "10.0.0.1:5"), opened(2, .gateway, "10.0.0.1:5"),
      .bytesIn(c1, [1], dropped: 0, notification: nil), .bytesIn(c2, [2], dropped: 0, notification: nil),
    ])
    #expect(
      found == [
        "c1 opened gateway production 10.0.0.1:5", "c1 provider 01",
        "c2 opened gateway production 10.0.0.2:49152",
        "c2 provider 02",
      ]
    )
  }

  @Test func `IP and TCP checksums add up`() {
    let packet = PacketBytes.packet(
      from: NetworkEndpoint(ipv4: 0x0A00_0001, port: 1),
      to: NetworkEndpoint(ipv4: 0x0A00_0002, port: 2),
      sequence: 7,
      acknowledgement: 9,
      flags: [.ack],
      payload: [1, 2, 3]
    )
    var header = InternetChecksum()
    header.add(packet.prefix(20))
    #expect(header.value == 0)
    var segment = InternetChecksum()
    segment.add(packet[12..<20])
    segment.add([0, 6, 0, UInt8(packet.count - 20)])
    segment.add(packet.dropFirst(20))
    #expect(segment.value == 0)
  }
}
