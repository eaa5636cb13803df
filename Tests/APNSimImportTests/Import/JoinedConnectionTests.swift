import APNSimCapture
import APNSimCore
import APNSimProperties
import APNSimTestSupport
import Testing

@testable import APNSimImport

/// Connections on a known port that had been made before the capture began.
@Suite struct `A connection joined in the middle` {
  private static let tail = [UInt8](repeating: 0x9C, count: 40)
  private static func record(_ count: Int, _ byte: UInt8 = 0x80) -> [UInt8] {
    [0x17, 3, 3, UInt8(count >> 8), UInt8(count & 0xFF)] + [UInt8](repeating: byte, count: count)
  }

  /// Reads bytes that are said in turn, each with whether the provider says it.
  private func read(_ said: [(isProvider: Bool, bytes: [UInt8])]) -> (story: [String], tally: StreamTally) {
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    let provider = NetworkEndpoint(ipv4: 0x0A00_0001, port: 50_000)
    let service = NetworkEndpoint(ipv4: 0x0A00_0002, port: 2195)
    var next: [Bool: UInt32] = [true: 100, false: 9000]
    for (isProvider, bytes) in said {
      table.receive(
        TCPSegment(
          time: Timestamp(seconds: 1),
          source: isProvider ? provider : service,
          destination: isProvider ? service : provider,
          sequence: next[isProvider] ?? 0,
          acknowledgement: next[!isProvider] ?? 0,
          flags: [.ack],
          payload: bytes[...]
        ),
        into: &events
      )
      next[isProvider]? += UInt32(bytes.count)
    }
    table.finish(into: &events)
    return (ImportProperty.text(events), table.tally)
  }

  @Test(
    arguments: [
      [(false, record(30))],
      [(true, tail), (false, record(30))],
      [(true, record(900))],
      [(true, tail + [0x15, 3, 3, 0, 26] + tail.prefix(26))],
      [(true, [0, 0, 32] + tail), (true, record(900)), (false, tail)],
      [(true, [2] + tail + record(900) + record(20)), (true, tail)],
      [(false, [8] + tail), (true, tail), (false, record(20))],
    ] as [[(isProvider: Bool, bytes: [UInt8])]]
  )
  func `a connection joined inside a TLS record is TLS, by the records after it`(
    said: [(isProvider: Bool, bytes: [UInt8])]
  ) {
    let (story, tally) = read(said)
    #expect(story.isEmpty && tally.tlsConnections == 1, "\(story)")
  }

  @Test func `a connection joined inside a frame is not TLS, whatever stands in its tokens`() {
    let frame = NativeCapture.frame(1, to: [0x17, 3, 3, 0, 4] + [UInt8](repeating: 0x17, count: 27))
    let unreadable = [0, 0, 32] + Self.record(27) + [0, 1, 0x7B]
    for said in [
      [(true, Self.tail), (true, frame)], [(true, unreadable), (false, [8, 8, 0, 0, 0, 1])],
      [(true, Self.tail)],
      [(true, frame), (false, Self.record(20))],
    ] {
      let (story, tally) = read(said)
      #expect(story.first?.hasPrefix("c1 opened gateway production 10.0.0.1:50000") == true, "\(said)")
      #expect(story.count == said.count + 2 && tally.tlsConnections == 0, "\(story)")
    }
  }

  @Test func `what says nothing of itself is told once enough of it has come`() {
    let pieces = (0..<Guess.pieceCountInside + 1).map { _ in (true, Self.tail) }
    #expect(read(pieces).story.count == pieces.count + 2)
    let (story, tally) = read(pieces + [(true, Self.record(20))])
    #expect(story.count == pieces.count + 3 && tally.tlsConnections == 0)
  }
}
