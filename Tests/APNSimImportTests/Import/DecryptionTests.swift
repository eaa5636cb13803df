import APNSimCapture
import APNSimCore
import APNSimSystem
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimImport

extension StartingPrograms {
  /// TLS connections on ports that say nothing, with a program in the place of tshark.
  @Suite struct `Decrypted connections on other ports` {
    private let folder: TemporaryDirectory
    private let frame: [UInt8] = [0, 0, 2, 0xAA, 0xBB, 0, 2, 0x7B, 0x7D]
    private let tls: [UInt8] = [0x17, 3, 3, 0, 1, 0]

    init() throws {
      folder = try TemporaryDirectory()
    }

    private func packet(
      _ payload: [UInt8],
      from: UInt16,
      to: UInt16,
      sequence: UInt32,
      acknowledgement: UInt32 = 5000,
      flags: TCPSegment.Flags = [.ack],
      isAnswer: Bool = false,
      seconds: UInt32 = 1_338_508_800
    ) -> [UInt8] {
      let tcp = CaptureBytes.tcp(
        from: from,
        to: to,
        sequence: sequence,
        acknowledgement: acknowledgement,
        flags: flags,
        payload
      )
      var bytes = CaptureBytes.ipv4(tcp)
      if isAnswer { bytes.replaceSubrange(12..<20, with: [10, 0, 0, 2, 10, 0, 0, 1]) }
      return CaptureBytes.pcapPacket(.little, seconds: seconds, CaptureBytes.ethernet(bytes))
    }

    /// Puts a shell script in the place of tshark. Another process writes it: a descriptor of ours would be for a moment in whatever
    /// other tests start meanwhile, and a program that somebody has open to write does not start.
    private func install(_ script: String) throws {
      let file = folder.file("tshark")
      let writer = try ChildProcess(
        "/bin/sh",
        ["-c", "cat >'\(file)' && chmod +x '\(file)'"],
        environment: [:]
      )
      try writer.write(Array("#!/bin/sh\n\(script)\n".utf8)) { _ in }
      writer.closeInput()
      try #require(writer.wait() == 0)
    }

    /// The failure over one packet with TLS.
    private func failure(_ script: String) throws -> ImportError? {
      let file = try folder.write(
        "x.pcap",
        CaptureBytes.pcapHeader(.little) + packet(tls, from: 50_000, to: 2195, sequence: 1)
      )
      try install(script)
      return #expect(throws: ImportError.self) {
        try ImportSpy.run([file]) {
          $0.keyLog = "keys"
          $0.searchPath = "\(folder.path):/usr/bin:/bin"
        }
      }
    }

    /// - Parameter decrypted: what tshark says of the packets that hold TLS, which alone it is given, by their numbers.
    private func run(
      _ packets: [[UInt8]],
      _ decrypted: [(number: Int, bytes: [UInt8])]
    ) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
      let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little) + packets.flatMap { $0 })
      let lines = decrypted.map { "\($0.number)\t23\t6\t\(Hex.encode($0.bytes))\t1,2\t\t\t\t\n" }.joined()
      let given = folder.file("given.pcapng")
      try install("cat >'\(given)'; printf '\(lines)'")
      return try ImportSpy.run([file]) {
        $0.keyLog = "keys"
        $0.searchPath = "\(folder.path):/usr/bin:/bin"
      }
    }

    @Test(arguments: ["GET / HTTP/1.1", ""])
    func `connections of other protocols are left out and counted`(said: String) throws {
      let packets = [
        packet(tls, from: 50_000, to: 2195, sequence: 1),
        packet([], from: 50_001, to: 443, sequence: 999, flags: [.syn]),
        packet(tls, from: 50_001, to: 443, sequence: 1000),
      ]
      var decrypted: [(number: Int, bytes: [UInt8])] = [(number: 1, bytes: frame)]
      if !said.isEmpty { decrypted.append((number: 2, bytes: Array(said.utf8))) }
      let (_, summary) = try run(packets, decrypted)
      #expect(summary.gatewayConnections == 1 && summary.decryptedConnections == 1)
      #expect(summary.streams.otherConnections == 1 && summary.undecryptable == 0)
    }

    @Test func `where the provider's bytes say nothing, the service's tell, however they are cut`() throws {
      let packets = [
        packet([], from: 50_001, to: 9999, sequence: 999, flags: [.syn]),
        packet(tls, from: 50_001, to: 9999, sequence: 1000),
        packet(tls, from: 9999, to: 50_001, sequence: 5000, acknowledgement: 1006, isAnswer: true),
        packet(tls, from: 9999, to: 50_001, sequence: 5006, acknowledgement: 1006, isAnswer: true),
      ]
      let (entries, summary) = try run(
        packets,
        [(number: 2, bytes: [8]), (number: 3, bytes: [8, 0, 0, 0, 7])]
      )
      var answers: [UInt8] = []
      for entry in entries {
        if case .bytesOut(_, let bytes) = entry.kind { answers += bytes }
        if case .connectionOpened(let connection) = entry.kind { #expect(connection.areAnswersSeen) }
      }
      #expect(answers == [8, 8, 0, 0, 0, 7])
      #expect(summary.gatewayConnections == 1 && summary.gaps == 0)
      #expect(summary.streams.otherConnections == 0)
    }

    @Test(arguments: [5, 0])
    func `what tshark could read before it failed is taken`(missing: Int) throws {
      let packets = [1, 7].flatMap { packet(tls, from: 50_000, to: 2195, sequence: $0) }
      let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little) + packets.dropLast(missing))
      let line = "1\t23\t6\t\(Hex.encode(frame))\t1,2\t\t\t\t\n"
      try install("printf '\(line)'\necho 'tshark: cut short' >&2\nexit 2")
      let (entries, summary) = try ImportSpy.run([file]) {
        $0.keyLog = "keys"
        $0.searchPath = "\(folder.path):/usr/bin:/bin"
      }
      let first = entries.compactMap { if case .bytesIn(_, let bytes, _, _) = $0.kind { bytes } else { nil } }
        .first
      #expect(first == frame)
      let expected = ["breaks off inside a packet", "tshark ended with 2: tshark: cut short"]
      #expect(summary.damage.count == (missing > 0 ? 2 : 1))
      for (damage, said) in zip(summary.damage, expected.suffix(summary.damage.count)) {
        #expect(damage.contains(said))
      }
    }

    @Test(arguments: [
      ("", "are not whole in the capture"), ("1", "are not whole"), ("1,2", "has no secrets for 1 TLS"),
    ])
    func `a handshake that was lost is told from secrets that are not there`(hellos: String, message: String)
      throws
    {
      let failure = try failure("printf '1\t23\t6\t\t\(hellos)\t\t\t\t\n'")
      #expect(failure?.message.contains(message) == true, "\(String(describing: failure))")
    }

    @Test func `a direction of which nothing can be decrypted is missing where the other one is not`() throws
    {
      let packets = [
        packet([], from: 50_000, to: 2195, sequence: 999, flags: [.syn]),
        packet(tls, from: 50_000, to: 2195, sequence: 1000),
        packet(tls, from: 2195, to: 50_000, sequence: 5000, acknowledgement: 1006, isAnswer: true),
      ]
      let (entries, summary) = try run(
        packets,
        [(number: 1, bytes: []), (number: 2, bytes: [8, 8, 0, 0, 0, 7])]
      )
      let missing = entries.compactMap { entry in
        if case .bytesMissing(_, let direction, _) = entry.kind { direction } else { nil }
      }
      #expect(missing == [.in] && summary.bytesOut == 6 && summary.gaps == 1)
    }

    @Test func `ciphertext that looks like records is nothing that was said`() throws {
      let failure = try failure("cat >/dev/null; printf '1\t23\t6\t\(Hex.encode(frame))\t\t\t\t\t\n'")
      #expect(failure?.message.contains("are not whole in the capture") == true)
    }

    @Test func `what tshark guesses at before it goes by the port is not to be guessed`() {
      let list = "stun\tdtls\tF\ntls\trdpmt\tT\ntcp\ttls\tT\ntls\thttp2\tT\ntls\naim\ttls\tF\n"
      #expect(TShark.guessers(in: list) == ["rdpmt", "http2"])
    }

    @Test func `a tshark that was killed is said to be`() throws {
      let failure = try failure("kill -KILL $$")
      #expect(failure?.message == "tshark was killed (signal 9)")
    }

    private func syn(_ port: UInt16, to: UInt16 = 2195, sequence: UInt32 = 99, seconds: UInt32 = 0) -> [UInt8]
    {
      packet([], from: port, to: to, sequence: sequence, flags: [.syn], seconds: 1_338_508_800 + seconds)
    }

    @Test(arguments: [2195, 9999] as [UInt16])
    func `a connection has the number and time of its beginning, however late it says something`(port: UInt16)
      throws
    {
      func said(_ from: UInt16, _ number: UInt32, seconds: UInt32) -> [UInt8] {
        packet(tls, from: from, to: port, sequence: 100 + number * 6, seconds: 1_338_508_800 + seconds)
      }
      let (entries, summary) = try run(
        [
          syn(50_001, to: port, seconds: 1), said(50_001, 0, seconds: 1), syn(50_002, to: port, seconds: 30),
          said(50_002, 0, seconds: 30), said(50_002, 1, seconds: 31), said(50_001, 1, seconds: 60),
        ],
        [(number: 3, bytes: frame), (number: 4, bytes: frame)]
      )
      let told = entries.compactMap { entry -> String? in
        let second = entry.time.seconds - 1_338_508_800
        switch entry.kind {
        case .connectionOpened(let connection): return "\(second) \(connection.id) \(connection.peer)"
        case .bytesIn(let id, _, _, _): return "\(second) \(id)"
        default: return nil
        }
      }
      #expect(told == ["1 c1 10.0.0.1:50001", "30 c2 10.0.0.1:50002", "31 c2", "60 c1"])
      #expect(summary.decryptedConnections == 2 && summary.gaps == 0)
    }

    @Test(arguments: [3, 4])
    func `a record without data is empty where data follows it, and a gap where none does`(count: Int) throws
    {
      let said = (0..<4).map { packet(tls, from: 50_001, to: 2195, sequence: 100 + $0 * 6) }
      let records = [
        (number: 1, bytes: []), (number: 2, bytes: frame), (number: 3, bytes: []), (number: 4, bytes: frame),
      ]
      let (entries, summary) = try run([syn(50_001)] + said, Array(records.prefix(count)))
      #expect(summary.frames == count / 2 && summary.gaps == (count == 3 ? 1 : 0))
      #expect(
        entries.count { $0.kind == .bytesMissing(ConnectionID(rawValue: 1), .in, count: 0) } == summary.gaps
      )
    }

    @Test func `tshark is given TLS alone, in order and once, with sequence numbers that do not turn over`()
      throws
    {
      let last = UInt32.max
      let record = [0x17, 3, 3, 0, 4, 1, 2, 3, 4] as [UInt8]
      func piece(_ range: Range<Int>, from: UInt16 = 50_001) -> [UInt8] {
        packet(
          Array(record[range]),
          from: from,
          to: 2195,
          sequence: last &- 3 &+ UInt32(range.lowerBound)
        )
      }
      _ = try run(
        [
          syn(50_001, sequence: last - 4), syn(50_002, sequence: last - 4), piece(0..<3), piece(6..<9),
          piece(0..<3, from: 50_002), piece(2..<7), packet(frame, from: 50_003, to: 2195, sequence: 1),
        ],
        []
      )
      var given: [TCPSegment] = []
      var reader = try PacketReader(CaptureInput(path: folder.file("given.pcapng")))
      while let packet = try reader.next() {
        if case .segment(let segment) = PacketContent(packet) { given.append(segment) }
      }
      let ends = given.map(\.source)
      #expect(given.map(\.sequence) == [1, 1, 4, 7] && ends[0] == ends[2] && ends[0] != ends[1])
      #expect([given[0], given[2], given[3]].flatMap(\.payload) == record)
    }

    @Test func `a key log in the capture comes to tshark in front of what it stands in front of`() throws {
      var file = PcapngWriter(application: "", comment: "")
      file.add(keyLog: Array("CLIENT_RANDOM 00 11\n".utf8))
      file.add(
        PacketBytes.packet(
          from: NetworkEndpoint(ipv4: 1, port: 50_001),
          to: NetworkEndpoint(ipv4: 2, port: 2195),
          sequence: 1,
          acknowledgement: 1,
          flags: [.ack],
          payload: tls[...]
        ),
        at: Timestamp(seconds: 1)
      )
      let path = try folder.write("x.pcapng", file.takeBytes())
      let given = folder.file("given.pcapng")
      let line = "1\t23\t6\t\(Hex.encode(frame))\t1,2\t\t\t\t\n"
      try install("cat >'\(given)'; printf '\(line)'")
      _ = try ImportSpy.run([path]) { $0.searchPath = "\(folder.path):/usr/bin:/bin" }
      var reader = try PacketReader(CaptureInput(path: given))
      #expect(try reader.next()?.number == 1)
      #expect(reader.takeKeyLog() == Array("CLIENT_RANDOM 00 11\n".utf8) && reader.takeKeyLog().isEmpty)
    }

    @Test func `what is more than sequence numbers count is missing, as is what stands after a gap`() {
      let id = ConnectionID(rawValue: 1)
      func event(_ kind: StreamEvent.Kind) -> StreamEvent {
        StreamEvent(time: Timestamp(seconds: 1), connection: id, kind: kind)
      }
      var opening = StreamConnection(listener: .gateway, environment: .production, peer: "")
      opening.isTLS = true
      var transcript = TLSTranscript()
      func isWhole(_ kind: StreamEvent.Kind) -> Bool { transcript.add(event(kind)) }
      #expect(isWhole(.opened(opening)) && isWhole(.missing(.provider, count: 9)))
      #expect(isWhole(.bytes(.provider, [1])) && transcript.packets == 1)
      #expect(!isWhole(.missing(.provider, count: 9)) && !isWhole(.bytes(.provider, [1])))
      #expect(transcript.packets == 1)
      let much = [UInt8](repeating: 0, count: 1 << 30)[...]
      for _ in 0..<3 { #expect(isWhole(.bytes(.service, much))) }
      #expect(!isWhole(.bytes(.service, much)))
    }
  }
}
