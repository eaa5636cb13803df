import APNSimCore
import APNSimProperties
import Testing

@testable import APNSimImport

@Suite struct `TCP reassembly` {
  private let client = NetworkEndpoint(ipv4: 0x0A00_0001, port: 50_000)
  private let server = NetworkEndpoint(ipv4: 0x0A00_0002, port: 2195)

  private func segment(
    _ isClient: Bool = true,
    _ sequence: UInt32,
    _ payload: [UInt8] = [],
    _ flags: TCPSegment.Flags = [.ack],
    acknowledging number: UInt32 = 0,
    at time: Int64 = 0,
    cutOff: Int = 0
  ) -> TCPSegment {
    TCPSegment(
      time: Timestamp(seconds: time),
      source: isClient ? client : server,
      destination: isClient ? server : client,
      sequence: sequence,
      acknowledgement: number,
      flags: number == 0 && !isClient && flags == [.ack] ? [] : flags,
      payload: payload[...],
      cutOff: cutOff
    )
  }

  private func opening(client: UInt32 = 1000, server: UInt32 = 5000) -> [TCPSegment] {
    [
      segment(true, client, [], [.syn]),
      segment(false, server, [], [.syn, .ack], acknowledging: client &+ 1),
      segment(true, client &+ 1, [], [.ack], acknowledging: server &+ 1),
    ]
  }

  private func story(
    _ segments: [TCPSegment],
    rules: PortRules = .usual,
    limits: StreamLimits = StreamLimits()
  ) -> [String] {
    var table = ConversationTable(rules: rules, limits: limits)
    var events: [StreamEvent] = []
    for segment in segments { table.receive(segment, into: &events) }
    table.finish(into: &events)
    return ImportProperty.text(events)
  }

  @Test func `a connection is told from its handshake to its end, both ways`() {
    let segments =
      opening() + [
        segment(true, 1001, [1, 2, 3]), segment(false, 5001, [8, 8], [.ack], acknowledging: 1004),
        segment(false, 5003, [], [.fin, .ack], acknowledging: 1004),
        segment(true, 1004, [], [.fin, .ack], acknowledging: 5004),
      ]
    #expect(
      story(segments) == [
        "c1 opened gateway production 10.0.0.1:50000", "c1 provider 010203", "c1 service 0808",
        "c1 closed, service first",
      ]
    )
  }

  /// Capture filters often take only what the providers send.
  @Test func `a capture of one side ends connections with the provider, before the next`() {
    let payload: [UInt8] = [1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 32]
    func provider(_ first: UInt32, at time: Int64, until end: Int64) -> [TCPSegment] {
      [
        segment(true, first, [], [.syn], at: time), segment(true, first &+ 1, payload, at: time),
        segment(true, first &+ 12, [], [.fin, .ack], at: end),
      ]
    }
    let opened = { (number: Int) in "c\(number) opened gateway production 10.0.0.1:50000" }
    let bytes = { (number: Int) in "c\(number) provider 0100000007000000000020" }
    let both = [
      opened(1), bytes(1), "c1 closed, provider first", opened(2), bytes(2), "c2 closed, provider first",
    ]
    #expect(story(provider(1000, at: 1, until: 2) + provider(9000, at: 3, until: 4)) == both)
    // The first is over before it is clear that the service is not to be seen.
    #expect(story(provider(1000, at: 1, until: 1) + provider(9000, at: 3, until: 3)) == both)
    var limits = StreamLimits()
    limits.connections = 1
    let many = (0..<20).flatMap { number in
      provider(1000, at: number, until: number).map { segment in
        var segment = segment
        segment.source.port += UInt16(number)
        return segment
      }
    }
    #expect(story(many, limits: limits).count { $0.hasSuffix("closed, provider first") } >= 10)
  }

  @Test func `connections that are read twice are told in the order and at the times of their beginnings`() {
    func other(_ segments: [TCPSegment], at time: Int64) -> [TCPSegment] {
      segments.map { segment in
        var segment = segment
        if segment.source == client { segment.source.port += 1 } else { segment.destination.port += 1 }
        segment.time = Timestamp(seconds: time)
        return segment
      }
    }
    let segments =
      opening() + other(opening(), at: 1) + other([segment(true, 1001, [1])], at: 10)
      + [segment(true, 1001, [1], at: 20), segment(true, 1002, [], [.fin, .ack], at: 21)]
    func events(_ foreseen: ForeseenConnections) -> [StreamEvent] {
      var table = ConversationTable(rules: .usual, foreseen: foreseen)
      var events: [StreamEvent] = []
      for segment in segments { table.receive(segment, into: &events) }
      table.finish(into: &events)
      return events
    }
    var foreseen = ForeseenConnections()
    for event in events(foreseen) { foreseen.add(event) }
    let told = events(foreseen)
    #expect(
      ImportProperty.text(told) == [
        "c1 opened gateway production 10.0.0.1:50000", "c2 opened gateway production 10.0.0.1:50001",
        "c2 provider 01", "c1 provider 01", "c1 closed, provider first",
      ]
    )
    #expect(told.map { $0.time.rawValue / 1000 } == [0, 1, 10, 20, 21])
  }

  /// The places of each event's bytes in the memory that they hold on to.
  private func places(_ segments: [TCPSegment]) -> [Int] {
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    for segment in segments {
      var segment = segment
      segment.payload = ([UInt8](repeating: 0, count: 1000) + segment.payload)[1000...]
      table.receive(segment, into: &events)
    }
    table.finish(into: &events)
    return events.compactMap { if case .bytes(_, let bytes) = $0.kind { bytes.startIndex } else { nil } }
  }

  @Test func `what is kept is a copy, and not all that was read with it`() {
    // Undecided at first, and then known.
    #expect(places(opening() + [segment(true, 1001, [1]), segment(true, 1002, [2])]) == [0, 1000])
    // An answer waits for what it answers, which is not there yet.
    let answer = segment(false, 5001, [8], [.ack], acknowledging: 1004)
    #expect(
      places(opening() + [segment(true, 1001, [1]), answer, segment(true, 1002, [2, 3])]) == [0, 1000, 0]
    )
  }

  @Test func `the service is seen where one of its packets is`() {
    let provider = [segment(true, 1000, [], [.syn]), segment(true, 1001, [1, 0, 0])]
    for (segments, isSeen) in [(provider, false), (opening() + [segment(true, 1001, [1, 0, 0])], true)] {
      var table = ConversationTable(rules: .usual)
      var events: [StreamEvent] = []
      for segment in segments { table.receive(segment, into: &events) }
      table.finish(into: &events)
      guard case .opened(let connection)? = events.first?.kind else {
        Issue.record("no connection")
        continue
      }
      #expect(connection.areAnswersSeen == isSeen)
    }
  }

  @Test func `segments that come late, early and twice come out once and in order`() {
    let segments =
      opening() + [
        segment(true, 1004, [4, 5]), segment(true, 1001, [1, 2, 3]), segment(true, 1001, [1, 2, 3]),
        segment(true, 1003, [3, 4, 5, 6]), segment(true, 1000, [9]),
      ]
    #expect(
      story(segments) == [
        "c1 opened gateway production 10.0.0.1:50000", "c1 provider 010203", "c1 provider 0405",
        "c1 provider 06",
      ]
    )
  }

  @Test func `the first of two copies of a byte wins`() {
    let segments =
      opening() + [
        segment(true, 1003, [3, 3]), segment(true, 1002, [9, 9, 9, 4]),
        segment(true, 1001, [1, 8, 8, 8, 8, 5]),
      ]
    #expect(
      story(segments).dropFirst() == [
        "c1 provider 01", "c1 provider 09", "c1 provider 0303", "c1 provider 04", "c1 provider 05",
      ]
    )
  }

  @Test func `the sequence number goes round`() {
    let start = UInt32.max - 2
    let segments =
      opening(client: start) + [
        segment(true, start &+ 1, [1, 2]), segment(true, start &+ 5, [5, 6]),
        segment(true, start &+ 3, [3, 4]),
      ]
    #expect(story(segments).dropFirst() == ["c1 provider 0102", "c1 provider 0304", "c1 provider 0506"])
  }

  @Test func `bytes that never come are a gap with their number, and the stream goes on after it`() {
    let segments =
      opening() + [
        segment(true, 1001, [1]), segment(true, 1012, [2]),
        segment(false, 5001, [8], [.ack], acknowledging: 1013),
        segment(true, 1013, [], [.fin, .ack]), segment(false, 5002, [], [.fin, .ack], acknowledging: 1014),
      ]
    #expect(
      story(segments).dropFirst() == [
        "c1 provider 01", "c1 provider missing 10", "c1 provider 02", "c1 service 08",
        "c1 closed, provider first",
      ]
    )
  }

  @Test func `where only acknowledgements tell of a direction, its FIN is no byte`() {
    let acknowledgements = [
      segment(false, 5001, [], [.ack], acknowledging: 1501),
      segment(false, 5001, [], [.fin, .ack], acknowledging: 1610),
    ]
    #expect(
      story([opening()[1]] + acknowledgements) == [
        "c1 opened gateway production 10.0.0.1:50000", "c1 provider missing 608", "c1 closed, service first",
      ]
    )
    #expect(story([opening()[1]] + acknowledgements.prefix(1)).last == "c1 provider missing 500")
  }

  @Test func `an acknowledged gap is given up in good time`() {
    var limits = StreamLimits()
    limits.patience = 3
    let late = (0..<3).map { segment(false, 5001 + UInt32($0), [8], [.ack], acknowledging: 1014) }
    let segments = opening() + [segment(true, 1001, [1]), segment(true, 1012, [2])] + late
    let more = [segment(true, 1013, [3])]
    #expect(
      story(segments + more, limits: limits).dropFirst(2) == [
        "c1 provider missing 10", "c1 provider 02", "c1 provider 03", "c1 service 08", "c1 service 08",
        "c1 service 08",
      ]
    )
  }

  @Test func `what a snap length cut off is missing where it was`() {
    let segments = opening() + [segment(true, 1001, [1], cutOff: 4), segment(true, 1006, [2])]
    #expect(story(segments).dropFirst() == ["c1 provider 01", "c1 provider missing 4", "c1 provider 02"])
  }

  @Test func `what waits for a missing segment is bounded`() {
    var limits = StreamLimits()
    limits.heldBytes = 100
    let segments =
      opening() + (0..<3).map { segment(true, 1011 + 50 * UInt32($0), [UInt8](repeating: 7, count: 50)) }
    #expect(story(segments, limits: limits).dropFirst().first == "c1 provider missing 10")
  }

  @Test func `a reset ends a connection, and what comes later is not another one`() {
    let segments =
      opening() + [
        segment(true, 1001, [1]), segment(false, 5001, [], [.rst, .ack], acknowledging: 1002),
        segment(true, 1002, [2], at: 1),
      ]
    #expect(story(segments).dropFirst() == ["c1 provider 01", "c1 reset by service"])
    let byProvider = opening() + [segment(true, 1001, [], [.rst]), segment(false, 5001, [8])]
    #expect(story(byProvider).dropFirst() == ["c1 service 08", "c1 reset by provider"])
  }

  @Test func `what comes too late after a reset is counted`() {
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    let reset = segment(false, 5001, [], [.rst, .ack], acknowledging: 1001)
    for segment in opening() + [reset, segment(true, 1001, [1, 2]), segment(true, 1003, [3, 4, 5], at: 1)] {
      table.receive(segment, into: &events)
    }
    table.finish(into: &events)
    #expect(ImportProperty.text(events).dropFirst() == ["c1 provider 0102", "c1 reset by service"])
    #expect(table.tally.lateBytes == 3)
  }

  @Test func `what a provider wrote before it heard of a reset is kept, however often it is reset`() {
    let reset = segment(false, 5007, [], [.rst, .ack], acknowledging: 1002)
    let late = [segment(true, 1002, [2]), reset, segment(true, 1003, [3])]
    let bytes = [
      "c1 opened gateway production 10.0.0.1:50000", "c1 provider 01", "c1 service 080500000001",
      "c1 provider 02", "c1 provider 03",
    ]
    let answered =
      opening() + [segment(true, 1001, [1]), segment(false, 5001, [8, 5, 0, 0, 0, 1], acknowledging: 1002)]
    #expect(story(answered + [reset] + late) == bytes + ["c1 reset by service"])
    // After a FIN too, and up to the provider's own end.
    let finished = segment(false, 5007, [], [.fin, .ack], acknowledging: 1002)
    let closed = bytes + ["c1 closed, service first"]
    #expect(story(answered + [finished, reset] + late) == closed)
    let ended = late + [segment(true, 1004, [], [.fin, .ack]), segment(true, 1005, [9])]
    #expect(story(answered + [finished, reset] + ended) == closed)
    // A new connection on the same ports waits for nothing.
    #expect(
      story(answered + [reset] + late + opening(client: 900_000, server: 700_000))
        == bytes + ["c1 reset by service", "c2 opened gateway production 10.0.0.1:50000"]
    )
  }

  @Test func `a reset after a FIN is the end of a connection that was closed`() {
    let segments =
      opening() + [
        segment(true, 1001, [1]), segment(false, 5001, [], [.fin, .ack], acknowledging: 1002),
        segment(true, 1002, [], [.rst]),
      ]
    #expect(story(segments).dropFirst() == ["c1 provider 01", "c1 closed, service first"])
  }

  @Test func `a segment or reset far out of any window changes nothing`() {
    let segments =
      opening() + [
        segment(true, 1001, [1]), segment(true, 1002 + 500_000_000, [9]),
        segment(false, 5001 &- 77_777_777, [], [.rst]), segment(true, 1002, [2]),
      ]
    #expect(story(segments).dropFirst() == ["c1 provider 01", "c1 provider 02"])
  }

  @Test func `a port that is used again is another connection`() {
    let segments =
      opening() + [segment(true, 1001, [1])] + opening(client: 9000, server: 77)
      + [segment(true, 9000, [], [.syn]), segment(true, 9001, [2])]
    #expect(
      story(segments) == [
        "c1 opened gateway production 10.0.0.1:50000", "c1 provider 01", "c1 closed unseen",
        "c2 opened gateway production 10.0.0.1:50000", "c2 provider 02",
      ]
    )
  }

  @Test func `a capture that begins in the middle says so`() {
    #expect(
      story([segment(true, 777, [1, 2]), segment(true, 779, [3])]) == [
        "c1 opened gateway production 10.0.0.1:50000, in the middle", "c1 provider missing ?",
        "c1 provider 0102",
        "c1 provider 03",
      ]
    )
  }

  @Test func `the listening side is told by the handshake where the port says nothing`() {
    var other = server
    other.port = 9999
    let swapped = (opening() + [segment(true, 1001, [0, 0, 32])]).map { segment in
      var segment = segment
      if segment.source == server { segment.source = other } else { segment.destination = other }
      return segment
    }
    #expect(
      story(swapped) == ["c1 opened gateway production 10.0.0.1:50000", "c1 provider 000020"]
    )
    #expect(story(Array(swapped.dropFirst(3))) == [])
    let rules = PortRules(gateway: [9999], feedback: [], environment: .sandbox)
    #expect(
      story(Array(swapped.dropFirst(3)), rules: rules).first
        == "c1 opened gateway sandbox 10.0.0.1:50000, in the middle"
    )
    #expect(story(opening() + [segment(true, 1001, [1])], rules: rules) == [])
  }

  @Test func `TLS and other protocols are counted, not imported`() {
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    for segment in opening() + [segment(true, 1001, [0x16]), segment(true, 1002, [3, 1, 0])] {
      table.receive(segment, into: &events)
    }
    #expect(events.isEmpty && table.tally.tlsConnections == 1)
  }

  @Test func `a connection without bytes is told, an unanswered SYN is not`() {
    let closing = [
      segment(true, 1001, [], [.fin, .ack], acknowledging: 5001),
      segment(false, 5001, [], [.fin, .ack], acknowledging: 1002),
    ]
    #expect(
      story(opening() + closing) == [
        "c1 opened gateway production 10.0.0.1:50000", "c1 closed, provider first",
      ]
    )
    #expect(story([segment(true, 1000, [], [.syn])]) == [])
  }

  @Test(arguments: 0..<200)
  func `a stream that was cut, swapped, doubled and overlapped comes out as it went in`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let start = seed % 3 == 0 ? UInt32.max - 500 : .random(in: 0...UInt32.max, using: &generator)
    let sent = (0..<Int.random(in: 1...4000, using: &generator)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    // A first byte of a command, so that the connection is recognised.
    let stream = [2] + sent
    var segments: [TCPSegment] = []
    var place = 0
    while place < stream.count {
      let end = min(stream.count, place + Int.random(in: 1...90, using: &generator))
      var pieces = [(place, end)]
      if Int.random(in: 0..<4, using: &generator) == 0 { pieces.append((place, end)) }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        pieces.append((max(0, place - Int.random(in: 0...60, using: &generator)), end))
      }
      for (from, to) in pieces {
        segments.append(segment(true, start &+ 1 &+ UInt32(from), Array(stream[from..<to])))
      }
      place = end
    }
    for index in segments.indices {
      let other = min(segments.count - 1, index + Int.random(in: 0...5, using: &generator))
      segments.swapAt(index, other)
    }
    let ending = [
      segment(true, start &+ 1 &+ UInt32(stream.count), [], [.fin, .ack]),
      segment(false, 5001, [], [.fin, .ack], acknowledging: start &+ 2 &+ UInt32(stream.count)),
    ]
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    for segment in opening(client: start) + segments + ending { table.receive(segment, into: &events) }
    var received: [UInt8] = []
    for event in events {
      switch event.kind {
      case .bytes(.provider, let bytes): received += bytes
      case .missing: Issue.record("nothing is missing")
      default: break
      }
    }
    #expect(received == stream)
  }
}
