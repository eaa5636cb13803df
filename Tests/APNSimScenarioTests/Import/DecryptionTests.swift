import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimScenario

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

  private func run(
    _ packets: [[UInt8]],
    _ decrypted: [(number: Int, bytes: [UInt8])],
    of packet: (Int) -> String = { _ in "\t\t\t\t\t\t\t\t" }
  ) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
    let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little) + packets.flatMap { $0 })
    let lines = decrypted.enumerated().map {
      "\($1.number)\t23\t6\t\(Hex.encode($1.bytes))\t\t\t\t\t\t\(packet($0))\n"
    }.joined()
    let program = try folder.write("tshark", Array("#!/bin/sh\nprintf '\(lines)'\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return try ImportSpy.run([file]) {
      $0.keyLog = "keys"
      $0.searchPath = "\(folder.path):/usr/bin:/bin"
    }
  }

  @Test(arguments: ["GET / HTTP/1.1", ""])
  func `those of other protocols are left out and counted`(said: String) throws {
    let packets = [
      packet(tls, from: 50_000, to: 2195, sequence: 1),
      packet([], from: 50_001, to: 443, sequence: 999, flags: [.syn]),
      packet(tls, from: 50_001, to: 443, sequence: 1000),
    ]
    var decrypted: [(number: Int, bytes: [UInt8])] = [(number: 1, bytes: frame)]
    if !said.isEmpty { decrypted.append((number: 3, bytes: Array(said.utf8))) }
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
      [(number: 3, bytes: [8]), (number: 4, bytes: [8, 0, 0, 0, 7])]
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

  @Test(arguments: [
    ("", "are not whole in the capture"), ("1", "are not whole"), ("1,2", "has no secrets for 1 TLS"),
  ])
  func `a handshake that was lost is told from secrets that are not there`(hellos: String, message: String)
    throws
  {
    let file = try folder.write(
      "x.pcap",
      CaptureBytes.pcapHeader(.little) + packet(tls, from: 50_000, to: 2195, sequence: 1)
    )
    let line = "1\t23\t6\t\t\(hellos)\t\t\t\t\t\t\t\t\t\t\t\t\t\n"
    let program = try folder.write("tshark", Array("#!/bin/sh\nprintf '\(line)'\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let failure = #expect(throws: ImportError.self) {
      try ImportSpy.run([file]) {
        $0.keyLog = "keys"
        $0.searchPath = "\(folder.path):/usr/bin:/bin"
      }
    }
    #expect(failure?.message.contains(message) == true, "\(String(describing: failure))")
  }

  @Test func `a tshark that was killed is said to be`() throws {
    let file = try folder.write(
      "x.pcap",
      CaptureBytes.pcapHeader(.little) + packet(tls, from: 50_000, to: 2195, sequence: 1)
    )
    let program = try folder.write("tshark", Array("#!/bin/sh\nkill -KILL $$\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let failure = #expect(throws: ImportError.self) {
      try ImportSpy.run([file]) {
        $0.keyLog = "keys"
        $0.searchPath = "\(folder.path):/usr/bin:/bin"
      }
    }
    #expect(failure?.message == "tshark was killed (signal 9)")
  }

  @Test(arguments: [-2, -1, 0, 1, 2])
  func `where tshark numbers packets otherwise, bytes stay on their connections`(drift: Int) throws {
    let start: UInt32 = 1_338_508_800
    let ports: [UInt16] = [50_000, 50_001, 50_000, 50_001]
    let opened = [50_000, 50_001].map { packet([], from: $0, to: 2195, sequence: 99, flags: [.syn]) }
    let packets = ports.enumerated().map { index, port in
      packet(
        tls,
        from: port,
        to: 2195,
        sequence: 100 + UInt32(index / 2) * 6,
        seconds: start + UInt32(index + 1)
      )
    }
    let (entries, summary) = try run(
      opened + packets,
      ports.indices.map { (number: $0 + 3 + drift, bytes: Array(frame.prefix(8)) + [UInt8($0)]) },
      of: {
        "10.0.0.1\t\t\(ports[$0])\t10.0.0.2\t\t2195\t\(100 + $0 / 2 * 6)\t6\t\(Int(start) + $0 + 1).0"
      }
    )
    var said: [ConnectionID: [UInt8]] = [:]
    var times: [Int64] = []
    for entry in entries {
      guard case .bytesIn(let id, let bytes, _, _) = entry.kind else { continue }
      said[id, default: []] += bytes.suffix(1)
      times.append(entry.time.seconds - Int64(start))
    }
    #expect(said == [ConnectionID(rawValue: 1): [0, 2], ConnectionID(rawValue: 2): [1, 3]])
    #expect(times == [1, 2, 3, 4] && summary.gaps == 0)
  }
}
