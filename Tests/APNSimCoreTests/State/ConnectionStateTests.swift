import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Connections that are kept` {
  private static let now = Moment.start
  private static let provider = ProviderIdentity(
    topics: ["com.example.sim", "com.example.sim.voip"],
    environment: .sandbox,
    subject: "CN=Apple Push Services: é"
  )

  static func beginning(_ number: UInt32, _ faults: [Fault] = []) -> ConnectionRecord.Beginning {
    var (plan, random) = (ConnectionPlan(), SeededGenerator(seed: 1))
    for fault in faults { plan.add(fault, &random) }
    var opening = ConnectionOpening(
      peer: "127.0.0.1:5\(number)",
      provider: provider,
      tlsVersion: "1.2",
      cipher: "AES"
    )
    opening.ordinal = number.isMultiple(of: 2) ? number : nil
    return ConnectionRecord.Beginning(
      id: ConnectionID(rawValue: number),
      opening: opening,
      app: UInt16(number % 3),
      ordinal: number,
      plan: plan,
      time: now + .seconds(Int64(number))
    )
  }

  static func gateway(_ number: UInt32) -> GatewayRecord {
    let record = GatewayRecord(beginning(number, [.latency(.seconds(1)), .close(.afterBytes(100))]))
    record.take(RuleBook([Rule(action: .proceed), Rule(action: .fault(.swallow))]))
    record.counts.received = 5
    record.counts.discarded = 3
    record.replies.put(
      PendingReply(
        exchange: 4,
        response: ErrorResponse(status: .shutdown, identifier: NotificationIdentifier(rawValue: 9)),
        notification: 12,
        reply: Reply(
          status: .shutdown,
          identifier: .exactly(.none),
          afterFrames: 3,
          packet: .init(cut: .afterFirstByte)
        ),
        framesLeft: 2
      )
    )
    record.error = SentError(
      response: ErrorResponse(status: .invalidToken, identifier: .none),
      at: now + .seconds(2)
    )
    record.lastAccepted = NotificationIdentifier(rawValue: 7)
    record.failed = [.identifier(NotificationIdentifier(rawValue: 8)), .number(3)]
    for place in 0..<4 { record.discard(.number(UInt64(place))) }
    for place in 0..<3 { record.awaitDiscard(place, place: UInt64(place + 10)) }
    record.settle(1, .resent)
    record.noteDuplicate(NotificationIdentifier(rawValue: 6), most: 5)
    return record
  }

  static func requests(_ number: UInt32) -> RequestRecord {
    let strike = Fault.stopReading(.afterRequests(3))
    let record = RequestRecord(beginning(number, [strike, .jitter(.zero, .hours(1))]))
    record.take(RuleBook([Rule(action: .proceed)]))
    let token = ProviderTokenFacts(
      number: 1,
      keyID: "KEY",
      teamID: "TEAM",
      issuedAt: now.seconds,
      verdict: .good,
      scope: ProviderKeyScope(team: "TEAM", environment: .sandbox, topics: ["com.example.sim"])
    )
    _ = record.binding.judge(
      token,
      in: .sandbox,
      at: ProviderTokenBinding.Moment(now: now, age: .zero),
      updates: &record.tokenUpdates
    )
    record.lastApp = 1
    record.noteRequest(on: 9)
    record.noteGoAway(lastStream: 7, at: now)
    record.noteDuplicate(2, most: 5)
    record.departure = RequestRecord.Departure(lastAnswered: 5, refuses: true, closes: false)
    record.openingEnding = .reset
    record.strike = StreamStrike(strike)
    record.strike?.countFrames(1)
    record.leaveUnanswered(RequestRecord.Unanswered(notification: 4, stream: 3, isAccepted: true))
    record.leaveUnanswered(RequestRecord.Unanswered(notification: 6, stream: 5, isAccepted: false))
    record.follow(1, place: 2, app: 1)
    var answer = Array("id".utf8).withUnsafeBytes {
      RequestAnswer(stream: 7, notification: 8, answer: Self.answer, suppliedId: $0)
    }
    let headers = [AnswerHeader(name: "retry-after", value: "1")]
    answer.say(410, .unregistered, body: "gone", headers: headers)
    (answer.channels.id, answer.channels.body, answer.part) = ([1], [2, 3], .body)
    for _ in 0..<3 { _ = record.put(answer, delay: .seconds(1), bodyDelay: .zero, ending: .drain) }
    _ = record.take(2)
    return record
  }

  private static var answer: Answer {
    Answer(to: Request(), in: UnsafeRawBufferPointer(start: nil, count: 0), reason: nil, made: nil)
  }

  /// Some that are open, some that are closed, and a few that have been forgotten.
  private static var book: ConnectionBook {
    var limits = Limits()
    limits.connections = 5
    var book = ConnectionBook(limits: limits)
    for place in 0..<12 {
      let number = book.takeID().rawValue
      let connection: Connection
      switch place % 3 {
      case 0: connection = .gateway(gateway(number))
      case 1: connection = .http2(requests(number))
      default:
        let record = FeedbackRecord(beginning(number, [.feedbackTruncate(20)]))
        record.tuplesRead = 7
        connection = .feedback(record)
      }
      _ = book.takeOrdinal(of: connection.listener)
      book.add(connection)
      for _ in 0..<2 { book.countDiscard() }
      // In another order than they came.
      guard place < 9 else { continue }
      connection.record.end()
      connection.record.close(place == 4 ? nil : .simulatorKilled, at: now + .minutes(1))
    }
    for number: UInt32 in [3, 1, 2, 9, 8, 7, 6, 5] { book.noteClosed(ConnectionID(rawValue: number)) }
    while book.forgetNext() != nil {}
    return book
  }

  private static func bytes(_ book: ConnectionBook) -> [UInt8] {
    var state = StateWriter()
    book.writeWithMalformed(to: &state)
    return state.array
  }

  private static func read(_ bytes: some Collection<UInt8>) throws -> ConnectionBook {
    try Array(bytes).withUnsafeBytes { bytes in
      var (state, limits) = (StateReader(bytes), Limits())
      limits.connections = 2
      let book = try ConnectionBook(reading: &state, limits: limits)
      #expect(state.isAtEnd)
      return book
    }
  }

  @Test func `connections that are kept are written as the same bytes once they are read`() throws {
    let bytes = Self.bytes(Self.book)
    #expect(bytes == Self.bytes(Self.book))
    #expect(Self.bytes(try Self.read(bytes)) == bytes)
  }

  @Test func `connections that are kept know what was malformed, and books of before know of nothing`() throws
  {
    let book = Self.book
    let before = Self.bytes(book)
    let record = try #require(book[ConnectionID(rawValue: 11)]?.http2)
    record.malformed.add(MalformedRequest(stream: 3, code: .protocolError, header: "X-Id", reason: "a rule"))
    let bytes = Self.bytes(book)
    #expect(bytes.starts(with: before))
    let read = try Self.read(bytes)
    #expect(read[record.id]?.http2?.malformed == record.malformed && Self.bytes(read) == bytes)
    #expect(try Self.read(before)[record.id]?.http2?.malformed.count == 0)
  }

  @Test func `connections that are kept go on being counted and forgotten in their order`() throws {
    var book = try Self.read(Self.bytes(Self.book))
    #expect(book.openCount == Self.book.openCount && book.forgottenErrors == Self.book.forgottenErrors)
    #expect(book.all.map(\.record.id) == Self.book.all.map(\.record.id))
    #expect(book.forgetNext()?.record.id.rawValue == 9 && book.forgetNext()?.record.id.rawValue == 8)
    #expect(book.takeID().rawValue == 13)
    #expect(book.takeOrdinal(of: .http2) == 5 && book.takeOrdinal(of: .device) == 1)
  }

  @Test func `connections that are kept know what they await, and the answers that have not left`() throws {
    let book = try Self.read(Self.bytes(Self.book))
    let gateway = try #require(book.gateway(ConnectionID(rawValue: 10)))
    #expect(gateway.awaited == 2 && gateway.discarded.count == 4 && gateway.rules == [0, 1])
    #expect(gateway.replies.first?.framesLeft == 2 && gateway.error?.response.status == .invalidToken)
    #expect(gateway.plan.latency == .seconds(1) && gateway.plan == Self.gateway(10).plan && gateway.isOpen)
    let requests = try #require(book[ConnectionID(rawValue: 11)]?.http2)
    #expect(requests.isWithoutAnswer(4) && requests.isWithoutAnswer(8) && !requests.isWithoutAnswer(5))
    #expect(requests.pending.map(\.exchange) == [1, 3] && requests.strike?.framesLeft == 2)
    #expect(requests.pending.first?.answer == Self.requests(11).pending.first?.answer)
    #expect(requests.put(RequestAnswer(stream: 1, notification: 1, answer: Self.answer), delay: .zero) == 4)
    #expect(requests.binding.first?.scope.topics == ["com.example.sim"])
    let closed = try #require(book[ConnectionID(rawValue: 7)]?.record)
    #expect(closed.closed?.reason == .simulatorKilled && closed.isOver)
  }

  @Test func `connections that are kept name nothing that is not there`() {
    let book = Self.book
    #expect(book.namesOnly(apps: 3, rules: 2))
    #expect(!book.namesOnly(apps: 1, rules: 2) && !book.namesOnly(apps: 3, rules: 1))
    func knows(_ number: UInt32, _ index: Int) -> Bool {
      book.knows(ResendTracker.Discard(connection: ConnectionID(rawValue: number), index: index))
    }
    #expect(knows(10, 3) && !knows(10, 4) && knows(11, 1) && !knows(11, 2) && knows(99, 5))
  }

  @Test func `connections that are kept are refused where their bytes are cut`() {
    var book = ConnectionBook(limits: Limits())
    book.add(.gateway(Self.gateway(1)))
    book.add(.http2(Self.requests(2)))
    let bytes = Self.bytes(book)
    for count in 0..<bytes.count {
      #expect(throws: StateError.self) { _ = try Self.read(bytes.prefix(count)) }
    }
  }
}
