import APNSimCapture
import APNSimCore
import APNSimTestSupport
import Testing

@testable import APNSimImport

/// A packet that a capture does not have, of a connection of HTTP/2 in plaintext.
@Suite struct `A gap in a capture of HTTP/2` {
  private let folder: TemporaryDirectory
  private let c1 = ConnectionID(rawValue: 1)

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func packet(
    _ side: StreamEvent.Side,
    _ place: Int,
    acknowledged: Int = 0,
    flags: TCPSegment.Flags = [.ack],
    _ payload: ArraySlice<UInt8> = []
  ) -> [UInt8] {
    let isAnswer = side == .service
    let (own, other) = isAnswer ? (5000, 1000) : (1000, 5000)
    let tcp = CaptureBytes.tcp(
      from: isAnswer ? 2197 : 50_000,
      to: isAnswer ? 50_000 : 2197,
      sequence: UInt32(own + place),
      acknowledgement: flags.contains(.ack) ? UInt32(other + acknowledged) : 0,
      flags: flags,
      Array(payload)
    )
    var bytes = CaptureBytes.ipv4(tcp)
    if isAnswer { bytes.replaceSubrange(12..<20, with: [10, 0, 0, 2, 10, 0, 0, 1]) }
    return CaptureBytes.pcapPacket(.little, CaptureBytes.ethernet(bytes))
  }

  /// Two requests and their answers without the bytes of one side that were in a packet of its own.
  /// - Parameter hasBeginning: the capture has SYN and SYN-ACK.
  private func read(
    without lost: Range<Int>,
    of side: StreamEvent.Side,
    hasBeginning: Bool = true
  ) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
    var packets: [[UInt8]] = []
    if hasBeginning {
      packets.append(packet(.provider, -1, flags: [.syn]))
      packets.append(packet(.service, -1, flags: [.syn, .ack]))
    }
    func send(_ bytes: [UInt8], from sender: StreamEvent.Side, acknowledged: Int) {
      let pieces = sender == side ? [0..<lost.lowerBound, lost.upperBound..<bytes.count] : [0..<bytes.count]
      for piece in pieces where !piece.isEmpty {
        packets.append(packet(sender, piece.lowerBound, acknowledged: acknowledged, bytes[piece]))
      }
    }
    let (requests, answers) = (HTTP2Bytes.requests, HTTP2Bytes.answers)
    send(requests, from: .provider, acknowledged: 0)
    send(answers, from: .service, acknowledged: requests.count)
    packets.append(packet(.provider, requests.count, acknowledged: answers.count))
    let file = try folder.write("x.pcap", CaptureBytes.pcapHeader(.little) + packets.flatMap { $0 })
    return try ImportSpy.run([file])
  }

  private func missing(_ entries: [CaptureEntry]) -> [CaptureEntry.Kind] {
    entries.map(\.kind).filter { if case .bytesMissing = $0 { true } else { false } }
  }

  @Test func `a gap in requests has its size and its place, by TCP's sequence numbers`() throws {
    let count = HTTP2Bytes.requests.count
    let (entries, summary) = try read(without: count - 15..<count - 5, of: .provider)
    #expect(missing(entries) == [.bytesMissing(c1, .in, count: 10)])
    #expect(summary.gapPlaces.map(\.offset) == [count - 15] && summary.gapPlaces.map(\.count) == [10])
    #expect(summary.missingBytes == 10 && summary.bytesIn == count - 10)
    #expect(summary.requests == 1 && summary.answers == 2)
    #expect(
      summary.notes == [
        "c1: bytes are missing, and with them the state of its header compression: no further requests are read"
      ]
    )
  }

  @Test func `a gap in answers has its size and its place, too`() throws {
    let count = HTTP2Bytes.answers.count
    let (entries, summary) = try read(without: count - 20..<count - 10, of: .service)
    #expect(missing(entries) == [.bytesMissing(c1, .out, count: 10)])
    #expect(summary.gapPlaces.map(\.offset) == [count - 20] && summary.gapPlaces.map(\.direction) == [.out])
    #expect(summary.missingBytes == 10 && summary.bytesOut == count - 10)
    #expect(summary.requests == 2 && summary.answers == 1)
    #expect(summary.notes.map { $0.hasSuffix("no further answers are read") } == [true])
  }

  @Test func `a gap at the first bytes is not what came before a capture that has the SYN`() throws {
    let (entries, summary) = try read(without: 0..<30, of: .provider)
    #expect(missing(entries) == [.bytesMissing(c1, .in, count: 30)])
    #expect(summary.gapPlaces.map(\.offset) == [0] && summary.gapPlaces.map(\.count) == [30])
    #expect(summary.gapPlaces.map(\.isBeginning) == [false])
    #expect(summary.requests == 0 && summary.answers == 2)
    #expect(
      summary.notes == [
        "c1: the first bytes are missing, and with them the state of its header compression: no requests are read"
      ]
    )
  }

  @Test func `a gap before a capture without the SYN is of an unknown size`() throws {
    let (entries, summary) = try read(without: 0..<30, of: .provider, hasBeginning: false)
    #expect(missing(entries).first == .bytesMissing(c1, .in, count: 0))
    #expect(summary.gapPlaces.first?.isBeginning == true && summary.requests == 0)
    #expect(summary.notes.map { $0.hasPrefix("c1 began before the capture") } == [true])
  }

  @Test func `a gap has no place where the bytes are not counted: a journal has requests instead`() throws {
    let count = HTTP2Bytes.requests.count
    let (entries, _) = try read(without: count - 15..<count - 5, of: .provider)
    var writer = CaptureWriter(CaptureHeader())
    for entry in entries { writer.write(entry) }
    let journal = try folder.write("x.jsonl", writer.takeLines())
    let (_, summary) = try ImportSpy.run([journal])
    #expect(summary.gapPlaces.map(\.offset) == [nil] && summary.gapPlaces.map(\.count) == [10])
    #expect(String(decoding: summary.json, as: UTF8.self).contains(#""offset":null"#))
  }
}
