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
    isAnswer: Bool = false
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
    return CaptureBytes.pcapPacket(.little, CaptureBytes.ethernet(bytes))
  }

  private func run(
    _ packets: [[UInt8]],
    _ decrypted: [(number: Int, bytes: [UInt8])]
  ) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
    let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little) + packets.flatMap { $0 })
    let lines = decrypted.map { "\($0.number)\t23\t6\t\(Hex.encode($0.bytes))\t\t\t\t\t\n" }.joined()
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
}
