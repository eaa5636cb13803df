import Testing

@testable import apnsim

@Suite struct `A stream of server-sent events` {
  private static let text = """
    : a comment
    retry: 250
    id: 7
    event: journal
    data: {"a":
    data: 1}

    data:second\r\n\r\nid
    event: nothing

    data: third


    """

  private static let events = [
    EventStreamParser.Event(id: "7", name: "journal", data: Array("{\"a\":\n1}".utf8)),
    EventStreamParser.Event(id: "7", name: "message", data: Array("second".utf8)),
    EventStreamParser.Event(id: "", name: "message", data: Array("third".utf8)),
  ]

  @Test(arguments: [1, 2, 3, 5, 7, 1000]) func `a stream of server-sent events is the same however it is cut`(
    size: Int
  ) {
    var parser = EventStreamParser()
    var events: [EventStreamParser.Event] = []
    var rest = Array(Self.text.utf8)[...]
    while !rest.isEmpty {
      events += parser.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    #expect(events == Self.events)
    #expect(parser.retry == .milliseconds(250))
    #expect(!parser.isBroken)
  }

  @Test func `an unfinished event is none, and an endless one ends the stream`() {
    var parser = EventStreamParser()
    #expect(parser.feed("data: x\n".utf8).isEmpty)
    #expect(parser.feed(repeatElement(UInt8(ascii: "x"), count: EventStreamParser.longestEvent + 1)).isEmpty)
    #expect(parser.isBroken)
    #expect(parser.feed("\n\ndata: y\n\n".utf8).isEmpty)
  }
}
