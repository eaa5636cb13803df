import APNSimCore
import APNSimProperties
import Testing

@testable import APNSimImport

@Suite struct `Connections that follow each other on the same ports` {
  private let server = NetworkEndpoint(ipv4: 0x0A00_0002, port: 2195)
  private let client = NetworkEndpoint(ipv4: 0x0A00_0001, port: 50_000)

  /// One TCP connection, written down from both sides.
  private struct Story {
    var client: UInt32
    var server: UInt32
    var segments: [TCPSegment] = []
    let ends: (client: NetworkEndpoint, server: NetworkEndpoint)

    mutating func say(_ isClient: Bool, _ flags: TCPSegment.Flags, _ payload: [UInt8] = []) {
      segments.append(
        TCPSegment(
          time: Timestamp(seconds: 0),
          source: isClient ? ends.client : ends.server,
          destination: isClient ? ends.server : ends.client,
          sequence: isClient ? client : server,
          acknowledgement: flags.contains(.ack) ? (isClient ? server : client) : 0,
          flags: flags,
          payload: payload[...]
        )
      )
      let length = UInt32(payload.count) + (flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1)
      if isClient { client &+= length } else { server &+= length }
    }
  }

  /// A notification, an error response, and how both sides end.
  private func connection(_ client: UInt32, _ server: UInt32, _ byte: UInt8) -> [TCPSegment] {
    var story = Story(client: client, server: server, ends: (self.client, self.server))
    story.say(true, [.syn])
    story.say(false, [.syn, .ack])
    story.say(true, [.ack])
    story.say(true, [.ack], [1, byte])
    story.say(false, [.ack], [8, byte])
    story.say(false, [.fin, .ack])
    story.say(true, [.fin, .ack])
    story.say(false, [.ack])
    return story.segments
  }

  private func story(_ segments: [TCPSegment]) -> [String] {
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    for segment in segments { table.receive(segment, into: &events) }
    table.finish(into: &events)
    return ImportProperty.text(events)
  }

  private func told(_ number: Int, _ byte: Int) -> [String] {
    [
      "c\(number) opened gateway production 10.0.0.1:50000", "c\(number) provider 010\(byte)",
      "c\(number) service 080\(byte)", "c\(number) closed, service first",
    ]
  }

  @Test(arguments: [1, 0, -1])
  func `connections on the same ports begin with a SYN-ACK where the SYN was lost`(step: Int) {
    let (one, two) = (connection(2_000_000, 5_000_000, 1), connection(9_000_000, 5_000_000, 2))
    let later = two.dropFirst().map { segment in
      var segment = segment
      let offset = UInt32(bitPattern: Int32(step * 3_000_000))
      if segment.source == server { segment.sequence &+= offset } else { segment.acknowledgement &+= offset }
      return segment
    }
    #expect(story(one + later) == told(1, 1) + told(2, 2))
    #expect(story(Array(later)) == told(1, 2))
  }

  @Test func `two connections on the same ports are told apart where only the service was captured`() {
    let both = (connection(1000, 3_000_000, 1) + connection(2_000_000, 2_000_000, 2)).filter {
      $0.source == server
    }
    func one(_ number: Int, _ byte: Int) -> [String] {
      [
        "c\(number) opened gateway production 10.0.0.1:50000", "c\(number) provider missing 2",
        "c\(number) service 080\(byte)", "c\(number) closed, service first",
      ]
    }
    #expect(story(both) == one(1, 1) + one(2, 2))
  }

  /// RFC 5961, section 4: a service that still has the old connection says so, and the provider resets it.
  @Test func `a connection on the same ports is told apart from the old one that the service still had`() {
    let old = Array(connection(1000, 3_000_000, 1).prefix(4))
    let new = connection(700_000, 2_000_000, 2)
    func acknowledgement(from isClient: Bool, _ sequence: UInt32, _ number: UInt32, _ flags: TCPSegment.Flags)
      -> TCPSegment
    {
      TCPSegment(
        time: Timestamp(seconds: 0),
        source: isClient ? client : server,
        destination: isClient ? server : client,
        sequence: sequence,
        acknowledgement: number,
        flags: flags,
        payload: []
      )
    }
    let challenge = [
      acknowledgement(from: false, 3_000_001, 1003, [.ack]), acknowledgement(from: true, 1003, 0, [.rst]),
    ]
    #expect(
      story(old + [new[0]] + challenge + new)
        == [told(1, 1)[0], "c1 provider 0101", "c1 closed unseen"] + told(2, 2)
    )
    // Where the capture begins with the end of the old one, only the new one says something.
    let late = acknowledgement(from: false, 3_000_001, 1003, [.fin, .ack])
    #expect(story([late] + new).suffix(4) == told(2, 2))
  }

  @Test
  func `connections on the same ports are not ended by a reset of the old one, however near its numbers are`()
  {
    let new = connection(50_000, 2_000_000, 2)
    var reset = new[0]
    (reset.sequence, reset.flags) = (1069, [.rst])
    #expect(story(Array(new.prefix(3)) + [reset] + new.dropFirst(3)) == told(1, 2))
  }

  @Test func `a SYN with data that the SYN-ACK acknowledges begins no second connection`() {
    var story = Story(client: 1000, server: 5000, ends: (client, server))
    story.say(true, [.syn], [1])
    story.say(false, [.syn, .ack])
    story.say(true, [.ack], [1])
    story.say(false, [.ack], [8, 1])
    story.say(false, [.fin, .ack])
    story.say(true, [.fin, .ack])
    var expected = told(1, 1)
    expected.replaceSubrange(1..<2, with: ["c1 provider 01", "c1 provider 01"])
    #expect(self.story(story.segments) == expected)
  }

  @Test func `a SYN-ACK that comes again, early or late, begins no second connection`() {
    let segments = connection(1000, 5000, 1)
    for place in 1...segments.count {
      var again = segments
      again.insert(segments[1], at: place)
      #expect(story(again) == told(1, 1), "again at \(place)")
    }
    #expect(story([segments[1], segments[0]] + segments.dropFirst(2)) == told(1, 1))
  }
}
