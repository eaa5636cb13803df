import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The connections of providers` {
  private static func limits(connections: Int = 2, discards: Int = 10) -> Limits {
    var limits = Limits()
    (limits.connections, limits.discards) = (connections, discards)
    return limits
  }

  /// A connection that was opened and closed again.
  private static func closed(in book: inout ConnectionBook, discards: Int = 0) -> GatewayRecord {
    let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "")
    let record = GatewayRecord(
      ConnectionRecord.Beginning(
        id: book.takeID(),
        opening: ConnectionOpening(peer: "127.0.0.1:1", provider: provider),
        app: 0,
        ordinal: book.takeOrdinal(of: .gateway),
        plan: .usual,
        time: Moment.start
      )
    )
    book.add(.gateway(record))
    for number in 0..<discards {
      record.discard(.number(UInt64(number)))
      book.countDiscard()
    }
    record.close(.peerClosed, at: Moment.start)
    book.noteClosed(record.id)
    return record
  }

  @Test func `the oldest closed connections are forgotten, and the errors they had counted`() {
    var book = ConnectionBook(limits: Self.limits())
    let first = Self.closed(in: &book)
    first.error = SentError(
      response: ErrorResponse(status: .invalidToken, identifier: .none),
      at: Moment.start
    )
    let others = [Self.closed(in: &book), Self.closed(in: &book)]
    let forgotten = [book.forgetNext(), book.forgetNext()].map { $0?.record.id }
    #expect(forgotten == [first.id, nil])
    #expect(book.forgottenErrors == 1)
    #expect(book.all.map(\.record.id) == others.map(\.id))
    #expect(book.open.isEmpty)
  }

  @Test func `the latest closed connection stays however much it remembers`() {
    var book = ConnectionBook(limits: Self.limits(connections: 9))
    let first = Self.closed(in: &book, discards: 3)
    let second = Self.closed(in: &book, discards: 7)
    #expect(!book.hasRoomForDiscards)
    let forgotten = [book.forgetNext(), book.forgetNext()].map { $0?.record.id }
    #expect(forgotten == [first.id, nil])
    #expect(book.hasRoomForDiscards)
    #expect(book.gateway(second.id) === second)
  }

  @Test func `numbers go on in a book that follows another, places begin anew`() {
    var older = ConnectionBook(limits: Self.limits())
    _ = Self.closed(in: &older)
    var book = ConnectionBook(limits: Self.limits(), after: older)
    let id = book.takeID()
    #expect(id == ConnectionID(rawValue: 2))
    let places = [Listener.gateway, .feedback, .gateway].map { book.takeOrdinal(of: $0) }
    #expect(places == [1, 1, 2])
    #expect(book.total == 2)
  }
}
