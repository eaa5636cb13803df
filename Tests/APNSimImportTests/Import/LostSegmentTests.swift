import APNSimCapture
import APNSimCore
import APNSimProperties
import APNSimTestSupport
import Testing

@testable import APNSimImport

/// Bytes that the capture lacks, where the rest of the connection proves that they were sent.
@Suite struct `Segments that the capture lost` {
  private let client = NetworkEndpoint(ipv4: 0x0A00_0001, port: 50_000)
  private let server = NetworkEndpoint(ipv4: 0x0A00_0002, port: 2195)
  private let opened = "c1 opened gateway production 10.0.0.1:50000"

  private func segment(
    _ isClient: Bool,
    _ sequence: UInt32,
    _ acknowledgement: UInt32,
    _ payload: [UInt8] = [],
    _ flags: TCPSegment.Flags = [.ack],
    at time: Int64 = 0
  ) -> TCPSegment {
    TCPSegment(
      time: Timestamp(seconds: time),
      source: isClient ? client : server,
      destination: isClient ? server : client,
      sequence: sequence,
      acknowledgement: acknowledgement,
      flags: flags,
      payload: payload[...]
    )
  }

  private var syn: TCPSegment { segment(true, 1000, 0, [], [.syn]) }
  private var synAnswer: TCPSegment { segment(false, 5000, 1001, [], [.syn, .ack]) }
  /// A handshake and three bytes of the provider.
  private var beginning: [TCPSegment] {
    [syn, synAnswer, segment(true, 1001, 5001), segment(true, 1001, 5001, [1, 2, 3])]
  }

  private func events(_ segments: [TCPSegment], isWhole: Bool = true) -> [StreamEvent] {
    var table = ConversationTable(rules: .usual)
    var events: [StreamEvent] = []
    for segment in segments { table.receive(segment, into: &events) }
    if isWhole { table.finish(into: &events) }
    return events
  }

  private func story(_ segments: [TCPSegment]) -> [String] { ImportProperty.text(events(segments)) }

  private func areAnswersSeen(_ events: [StreamEvent]) -> Bool? {
    guard case .opened(let connection)? = events.first?.kind else { return nil }
    return connection.areAnswersSeen
  }

  @Test func `an answer that was lost before a reset is a gap`() {
    let ending = [segment(false, 5001, 1004), segment(false, 5007, 1004, [], [.rst, .ack])]
    #expect(
      story(beginning + ending) == [
        opened, "c1 provider 010203", "c1 service missing 6", "c1 reset by service",
      ]
    )
  }

  @Test func `what only a reset acknowledges is a gap`() {
    #expect(
      story(beginning + [segment(false, 5001, 1059, [], [.rst, .ack])])
        == [opened, "c1 provider 010203", "c1 provider missing 55", "c1 reset by service"]
    )
  }

  @Test(arguments: [UInt32(1), 2, 55])
  func `where a side resets the connection, all that was acknowledged of it are bytes`(lost: UInt32) {
    let ending = [
      segment(false, 5001, 1004 + lost, [8]), segment(false, 5002, 1004 + lost, [], [.fin, .ack]),
      segment(true, 1004 + lost, 0, [], [.rst]),
    ]
    let answer = ["c1 service 08", "c1 provider missing \(lost)"]
    #expect(
      story(beginning + ending)
        // A single byte could have been the provider's FIN; more of them came before they were answered.
        == [opened, "c1 provider 010203"] + (lost > 1 ? answer.reversed() : answer) + [
          "c1 closed, service first"
        ]
    )
  }

  @Test func `a reset after a FIN counts it as no byte`() {
    let ending = [
      segment(false, 5001, 1004, [8]), segment(true, 1004, 5002, [], [.fin, .ack]),
      segment(false, 5002, 1005), segment(true, 1005, 5002, [], [.rst, .ack]),
    ]
    #expect(
      story(beginning + ending)
        == [opened, "c1 provider 010203", "c1 service 08", "c1 closed, provider first"]
    )
  }

  @Test func `a reset outside of the window ends nothing, and one inside does not tell of gigabytes`() {
    let more = [segment(true, 1004, 5001, [4]), segment(false, 5001, 1005, [8])]
    #expect(
      story(beginning + [segment(false, 505_001, 0, [], [.rst])] + more)
        == [opened, "c1 provider 010203", "c1 provider 04", "c1 service 08"]
    )
    #expect(
      story(beginning + [segment(false, 5001, 100_001_004, [], [.rst, .ack])])
        == [opened, "c1 provider 010203", "c1 reset by service"]
    )
  }

  @Test func `what stands after a gap keeps its time, and answers stand after what they answer`() {
    let later = [
      segment(false, 5001, 1010, at: 10),  // of 1004..<1007 and 1007..<1010 the capture has the second only
      segment(true, 1007, 5001, [7, 8, 9], at: 10),
      segment(false, 5001, 1010, [8], at: 11),
      segment(true, 1010, 5002, [10], at: 20), segment(false, 5002, 1011, at: 20),
    ]
    let found = events(beginning + later, isWhole: false)
    #expect(
      ImportProperty.text(found) == [
        opened, "c1 provider 010203", "c1 provider missing 3", "c1 provider 070809", "c1 service 08",
        "c1 provider 0a",
      ]
    )
    #expect(found.map { $0.time.rawValue / 1000 } == [0, 0, 10, 10, 11, 20])
  }

  @Test func `an answer waits for what it answers, where the capture has that after it`() {
    let swapped = [segment(false, 5001, 1009, [8]), segment(true, 1004, 5001, [4, 5, 6, 7, 8])]
    #expect(
      story(beginning + swapped) == [opened, "c1 provider 010203", "c1 provider 0405060708", "c1 service 08"]
    )
  }

  @Test func `what is answered does not wait for its answer, though that is acknowledged in front of it`() {
    let question = segment(true, 1004, 5001, [4, 5])
    let answer = segment(false, 5001, 1006, [8, 8, 8])
    let thanks = segment(true, 1006, 5004)
    let both = [opened, "c1 provider 010203", "c1 provider 0405", "c1 service 080808"]
    #expect(story(beginning + [thanks, question, answer]) == both)
    #expect(story(beginning + [thanks, answer, question]) == both)
    #expect(story(beginning + [answer, thanks, question]) == both)
    // A question about the answer waits for it, which waits itself.
    let next = segment(true, 1006, 5004, [9, 9])
    #expect(story(beginning + [next, answer, question]) == both + ["c1 provider 0909"])
    #expect(story(beginning + [answer, next, question, thanks]) == both + ["c1 provider 0909"])
  }

  @Test func `a refused connection is none`() {
    #expect(story([syn, segment(false, 0, 1001, [], [.rst, .ack])]) == [])
  }

  @Test func `the beginning of a stream that was only acknowledged is a gap`() {
    let segments = [
      syn, segment(true, 1001, 5001), segment(true, 1001, 5001, [1]),
      segment(false, 5003, 1002, [0, 0, 0, 7]), segment(false, 5007, 1002, [], [.fin, .ack]),
      segment(true, 1002, 5008, [], [.fin, .ack]),
      segment(false, 5008, 1003),
    ]
    let events = events(segments)
    #expect(
      ImportProperty.text(events)
        == [
          opened, "c1 provider 01", "c1 service missing 2", "c1 service 00000007", "c1 closed, service first",
        ]
    )
    #expect(areAnswersSeen(events) == true)
  }

  @Test func `a reset that is all that was captured of a side tells of its answer`() {
    let provider = [syn, segment(true, 1001, 5001), segment(true, 1001, 5001, [1])]
    #expect(
      story(provider + [segment(false, 5007, 1002, [], [.rst, .ack])])
        == [opened, "c1 provider 01", "c1 service missing 6", "c1 reset by service"]
    )
    #expect(story(provider + [segment(false, 505_001, 0, [], [.rst])]) == [opened, "c1 provider 01"])
  }

  @Test(
    arguments: [
      (5001, ["c1 service 08"]), (5004, ["c1 service missing 3", "c1 service 08"]),
      (4999, ["c1 service 08"]), (100_005_001, ["c1 service 08"]), (3_000_000_000, ["c1 service 08"]),
    ] as [(UInt32, [String])]
  )
  func `an acknowledgement before the first segment tells of a gap inside the window only`(
    sequence: UInt32,
    expected: [String]
  ) {
    let segments = [segment(true, 777, 5001, [1]), segment(false, sequence, 778, [8])]
    #expect(
      story(segments) == [opened + ", in the middle", "c1 provider missing ?", "c1 provider 01"] + expected
    )
  }

  @Test func `the service is seen, too, where its SYN-ACK is late in the capture`() {
    let late = [syn, segment(true, 1001, 5001, [1]), synAnswer]
    #expect(areAnswersSeen(events(late)) == true)
    #expect(story(late) == [opened, "c1 provider 01"])
  }

  @Test func `the service of a connection joined in the middle is seen, whoever is first`() {
    let provider = segment(true, 1001, 5001, [UInt8](NativeCapture.frame(1)))
    let service = segment(false, 5001, 1001 + UInt32(provider.payload.count))
    for segments in [[provider, service], [service, provider]] {
      #expect(areAnswersSeen(events(segments)) == true)
    }
    #expect(areAnswersSeen(events([provider])) == false)
  }

  @Test func `a connection waits no longer than a moment for its service to be seen`() {
    let provider = [syn, segment(true, 1001, 5001, [1])]
    #expect(events(provider, isWhole: false).isEmpty)
    let later = events(provider + [segment(true, 1002, 5001, [2], at: 1)], isWhole: false)
    #expect(ImportProperty.text(later) == [opened, "c1 provider 01", "c1 provider 02"])
    #expect(areAnswersSeen(later) == false)
    #expect(later.first?.time == Timestamp(seconds: 0))
  }

  @Test func `an error response alone is a gateway's, feedback is not`() {
    func guess(_ server: ArraySlice<UInt8>) -> Guess { Guess(client: [], server: server, isPortKnown: false) }
    #expect(guess([8, 8, 0, 0, 0, 7]) == .gateway)
    #expect(guess([8, 1, 0xFF, 0xFF, 0xFF, 0xFF]) == .gateway)
    #expect(guess([8, 8, 0, 0, 0]) == .undecided)
    #expect(guess([0x4F, 0xC8, 0, 0, 0, 32, 1, 2]) == .feedback)
  }

  /// Lengths in front of messages begin with zeros, versions of protocols with a one.
  @Test func `on a port that nobody named, only what can be a frame makes a gateway`() {
    func guess(_ client: ArraySlice<UInt8>, _ server: ArraySlice<UInt8> = []) -> Guess {
      Guess(client: client, server: server, isPortKnown: false)
    }
    #expect(guess([0, 0, 32, 1, 2]) == .gateway && guess([1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 32]) == .gateway)
    #expect(guess([2, 0, 0, 0, 90, 3, 0, 4]) == .gateway)
    #expect(guess([1, 0, 0, 0, 7, 0, 0, 0, 0, 0]) == .undecided && guess([0, 0]) == .undecided)
    #expect(guess([0, 0, 0, 8, 4, 0xD2, 0x16, 0x2F]) == .somethingElse, "PostgreSQL")
    #expect(guess([0, 0x21, 0x12, 0x34, 1, 0, 0, 1]) == .somethingElse, "DNS")
    #expect(guess([0, 1, 0, 0, 0, 6, 1, 3]) == .somethingElse, "Modbus")
    #expect(guess([1, 0, 0, 0x94, 0x80, 0, 1, 1, 0, 0, 0, 0]) == .somethingElse, "Diameter")
    #expect(guess([2, 0, 0, 0, 90, 9, 0, 4]) == .somethingElse)
    #expect(guess([0, 0, 32, 1, 2], [0x4E]) == .somethingElse)
    #expect(Guess(client: [0, 0, 0, 8], server: [0x4E], isPortKnown: true) == .gateway)
  }
}
