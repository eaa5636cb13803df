import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The interface of a notification` {
  @Test func `the interface of a notification is said after its device, and in no line of the journal`()
    throws
  {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    let view = try #require(simulator.notification(1))
    var writer = JSONWriter()
    writer.beginObject()
    NotificationView.content.write(view, to: &writer)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self).contains(
        #","device":"alice","interface":"binary","command":1,"#
      )
    )
    #expect(journal.text.contains(#""device":"alice","outcome""#) && !journal.text.contains("interface"))
  }

  @Test(arguments: [
    (Matcher.equals(.string("binary")), 1), (.equals(.string("http2")), 0), (.exists(true), 1),
  ])
  func `the interface of a notification can be asked for`(matcher: Matcher, count: Int) throws {
    let simulator = try Samples.simulator()
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    let query = Query([Query.Condition(path: "interface", matcher: matcher)])
    #expect(simulator.notifications(from: 1, limit: 9, matching: CompiledQuery(query)).views.count == count)
    #expect(simulator.notifications().filter(query.matches).count == count)
  }

  @Test func `the interface has every check but a script's in its order, once`() {
    #expect(BinaryInterface.checks.count == Set(BinaryInterface.checks).count)
    #expect(Set(BinaryInterface.checks) == Set(Check.allCases).subtracting([.request, .rule, .none]))
  }

  @Test func `the interface says nothing of a frame of command 0 but that it is unknown`() {
    for check in Check.allCases where check != .none {
      let silence = BinaryInterface.silence(about: check, command: 0, [])
      #expect(silence == (check == .command ? nil : .simpleFormat))
      #expect(BinaryInterface.silence(about: check, command: 1, []) == nil)
      let isOfParsing = check == .command || check == .framing
      #expect(
        BinaryInterface.silence(about: check, command: 1, .silentParseErrors) == (isOfParsing ? .quirk : nil)
      )
    }
  }
}

@Suite struct `Answers that wait` {
  private static func reply(_ exchange: UInt32, framesLeft: Int = 0) -> PendingReply {
    PendingReply(
      exchange: exchange,
      response: ErrorResponse(status: .invalidToken, identifier: .none),
      notification: UInt64(exchange),
      reply: Reply(status: .invalidToken),
      framesLeft: framesLeft
    )
  }

  @Test func `answers that wait are one for each exchange, in the order in which they came`() {
    var replies = PendingReplies()
    for exchange in [UInt32(5), 1, 3] { replies.put(Self.reply(exchange, framesLeft: exchange == 1 ? 2 : 0)) }
    replies.put(Self.reply(5, framesLeft: 1))
    #expect(replies.timed.map(\.exchange) == [3])
    #expect(replies.first?.exchange == 5 && replies[5]?.framesLeft == 1)
    #expect(replies.take(1)?.notification == 1 && replies.take(1) == nil)
    #expect(replies.takeFirst()?.exchange == 5 && replies.takeFirst()?.exchange == 3)
    #expect(replies.isEmpty && replies.takeFirst() == nil)
  }
}
