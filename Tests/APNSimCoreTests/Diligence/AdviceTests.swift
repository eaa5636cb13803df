import APNSimCore
import APNSimWire
import Testing

@Suite struct `Advice for providers` {
  @Test(
    arguments: [
      (#"{"aps":{"alert":"hi"}}"#, []),
      (#"{"aps": {"alert":"hi"}}"#, [.payloadWhitespace]),
      (#"{"aps":{"alert":"a  b"}}"#, []),
      (#"{"aps":{"alert":{"body":"hi"}}}"#, [.alertOnlyBody]),
      (#"{"aps":{"alert":{"body":"hi","action-loc-key":null}}}"#, []),
      (#"{"aps":{"alert":{"body":"hi","loc_key":"k"}}}"#, [.misplacedKey]),
      (#"{"aps":{"alert":{"body":"hi","badge":1}}}"#, [.misplacedKey]),
      (#"{"aps":{"alert":{"body":"hi","title":"t"},"category":"c","mutable-content":1},"id":1}"#, []),
      ("{\n\"aps\":{\"alert\":{\"body\":\"hi\"}}\n}", [.payloadWhitespace, .alertOnlyBody]),
    ] as [(String, [AdviceKind])]
  )
  func `advice on payloads is what the guide's notes say`(payload: String, kinds: [AdviceKind]) {
    var provider = DiligentProvider()
    provider.send(payload)
    #expect(provider.advice.map(\.kind) == kinds)
  }

  @Test func `advice adds up bytes of white space`() throws {
    var provider = DiligentProvider()
    provider.send(#"{ "aps" : {} }"#)
    #expect(
      provider.advice(.payloadWhitespace)?.text
        == "1 notification was sent with whitespace in the payload, 4 bytes in all. "
        + "Have your JSON library write its compact form."
    )
    provider.wait(.hours(1))
    provider.send(#"{"aps": {}}"#)
    let advice = try #require(provider.advice(.payloadWhitespace))
    #expect(advice.count == 2)
    #expect(advice.text.contains("5 bytes in all"))
    #expect(advice.first == Moment.start)
    #expect(advice.last == Moment.start + .hours(1))
  }

  @Test func `advice cites the guide word by word, each kind with a source and a name of its own`() {
    #expect(Set(AdviceKind.allCases.map(\.description)).count == AdviceKind.allCases.count)
    for kind in AdviceKind.allCases {
      #expect(kind.sentence.last == ".")
      let guide = "Local and Push Notification Programming Guide 2011-08-09, \""
      let pages = [
        "Handling notification responses from APNs", "Sending notification requests to APNs",
        "Establishing a token-based connection to APNs",
        "Local and Remote Notification Programming Guide, \"Communicating with APNs\"",
      ]
      #expect(kind.source.hasPrefix(guide) || pages.contains(kind.source))
    }
  }

  @Test func `advice of several providers has one order`() {
    var provider = DiligentProvider()
    provider.send(#"{"aps": {"alert":{"body":"hi"}}}"#)
    let keys = [
      AppKey(topic: "b", environment: .production), AppKey(topic: "a", environment: .sandbox),
      AppKey(topic: "a", environment: .production),
    ]
    let sorted = keys.flatMap { provider.watch.advice(for: $0) }.sorted()
    #expect(
      sorted.map { "\($0.provider.topic) \($0.provider.environment.rawValue) \($0.kind)" } == [
        "a production payloadWhitespace", "a production alertOnlyBody",
        "a sandbox payloadWhitespace", "a sandbox alertOnlyBody",
        "b production payloadWhitespace", "b production alertOnlyBody",
      ]
    )
  }

  @Test func `advice is the same JSON every time`() throws {
    var provider = DiligentProvider()
    provider.send(#"{"aps":{"alert":{"body":"hi"}}}"#)
    var writer = JSONWriter()
    writer.beginObject()
    try #require(provider.advice.first).writeMembers(to: &writer)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == #"""
        {"kind":"alertOnlyBody","severity":"hint","environment":"production","topic":"com.example.sim",\#
        "count":1,"first":"2012-06-01T00:00:00.000Z","last":"2012-06-01T00:00:00.000Z",\#
        "text":"1 notification was sent with an alert dictionary that has only a body. \#
        Give the text as the value of alert itself.",\#
        "guide":{"sentence":"Don't specify a dictionary as the value of alert if the dictionary only has the \#
        body property.","source":"Local and Push Notification Programming Guide 2011-08-09, \#
        \"The Notification Payload\""}}
        """#
    )
  }

  @Test func `advice is empty for a diligent provider of a hundred thousand notifications`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...1000 {
      provider.wait(.milliseconds(10))
      provider.send(100, read: UInt32(read), on: &connection)
    }
    provider.close(connection)
    #expect(provider.advice.isEmpty)
  }
}
