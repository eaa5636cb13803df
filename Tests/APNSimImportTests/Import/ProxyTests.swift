import APNSimTestSupport
import Testing

@testable import APNSimImport

@Suite struct `Connections through a proxy` {
  /// A client that asks a proxy for the service, and then speaks TLS.
  private static func capture(_ folder: TemporaryDirectory) throws -> String {
    let request = Array(
      "CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com:443\r\n\r\n".utf8
    )
    let answer = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
    let hello: [UInt8] = [0x16, 3, 1, 0, 2, 1, 0]
    let (client, proxy): (UInt16, UInt16) = (50_000, 3128)
    let (sent, received) = (UInt32(1000), UInt32(9000))
    let segments = [
      CaptureBytes.tcp(from: client, to: proxy, sequence: sent, flags: [.syn]),
      CaptureBytes.tcp(
        from: proxy,
        to: client,
        sequence: received,
        acknowledgement: sent + 1,
        flags: [.syn, .ack]
      ),
      CaptureBytes.tcp(from: client, to: proxy, sequence: sent + 1, acknowledgement: received + 1, request),
      CaptureBytes.tcp(
        from: proxy,
        to: client,
        sequence: received + 1,
        acknowledgement: sent + 1 + UInt32(request.count),
        answer
      ),
      CaptureBytes.tcp(
        from: client,
        to: proxy,
        sequence: sent + 1 + UInt32(request.count),
        acknowledgement: received + 1 + UInt32(answer.count),
        hello
      ),
    ]
    let packets = segments.map { segment in
      var packet = CaptureBytes.ipv4(segment)
      // Back from the proxy: the addresses change places.
      if segment.starts(with: CaptureBytes.big(proxy)) {
        packet.replaceSubrange(12..<20, with: packet[16..<20] + packet[12..<16])
      }
      return CaptureBytes.pcapPacket(.little, CaptureBytes.ethernet(packet))
    }
    return try folder.write("proxy.pcap", CaptureBytes.pcapHeader(.little) + packets.flatMap(\.self))
  }

  @Test(arguments: [[], [3128]] as [[UInt16]])
  func `a push through a proxy is named, also where its port is said to be the service's`(ports: [UInt16])
    throws
  {
    let folder = try TemporaryDirectory()
    let path = try Self.capture(folder)
    let keys = try folder.write("keys", "CLIENT_RANDOM 00 00\n")
    let failure = #expect(throws: ImportError.self) {
      try ImportSpy.run([path]) {
        $0.requestPorts = ports
        $0.keyLog = keys
      }
    }
    let text = failure?.description ?? ""
    #expect(text.contains("found 1 connection through a proxy (CONNECT api.push.apple.com:443)"), "\(text)")
  }
}
