import APNSimCore
import Testing

@Suite struct `A provider's feedback` {
  @Test func `feedback that is unread for a day while its provider sends is advised on`() throws {
    var provider = DiligentProvider()
    var connection = provider.open()
    provider.watch.tupleListed(at: provider.now)
    provider.send(3, on: &connection)
    provider.wait(.hours(24))
    provider.send(4, on: &connection)
    #expect(provider.advice.isEmpty)
    provider.wait(.milliseconds(1))
    provider.send(5, on: &connection)
    let advice = try #require(provider.advice(.feedbackNotRead))
    #expect(advice.count == 12)
    #expect(advice.first == Moment.start)
    #expect(advice.last == provider.now)
  }

  @Test
  func `feedback that is unread over a hundred notifications is advised on, even while time stands still`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    provider.watch.tupleListed(at: provider.now)
    provider.send(100, on: &connection)
    #expect(provider.advice.isEmpty)
    provider.send(1, on: &connection)
    #expect(provider.count(.feedbackNotRead) == 101)
    provider.watch.tupleListed(at: provider.now)
    provider.send(10, on: &connection)
    #expect(provider.count(.feedbackNotRead) == 111)
  }

  @Test func `feedback that is read in time is not advised on`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for _ in 0..<10 {
      provider.watch.tupleListed(at: provider.now)
      provider.send(90, on: &connection)
      provider.wait(.hours(23))
      provider.watch.feedbackRead(waiting: 0, at: provider.now)
    }
    #expect(provider.advice.isEmpty)
  }

  @Test func `feedback that is read in part begins to wait anew`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    provider.watch.tupleListed(at: provider.now)
    provider.wait(.hours(20))
    provider.watch.feedbackRead(waiting: 7, at: provider.now)
    provider.wait(.hours(20))
    provider.send(1, on: &connection)
    #expect(provider.advice.isEmpty)
    provider.wait(.hours(5))
    provider.send(1, on: &connection)
    #expect(provider.count(.feedbackNotRead) == 2)
  }

  @Test func `feedback that is empty or was cleared asks for nothing`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    provider.send(1000, on: &connection)
    provider.watch.tupleListed(at: provider.now)
    provider.watch.feedbackCleared()
    provider.send(1000, on: &connection)
    #expect(provider.advice.isEmpty)
  }

  @Test func `feedback that is left unread by a provider that sends nothing asks for nothing`() {
    var provider = DiligentProvider()
    provider.watch.tupleListed(at: provider.now)
    provider.wait(.days(100))
    #expect(provider.advice.isEmpty)
  }

  @Test
  func `tokens of the feedback that a provider still sends to are a hint until it was read, a warning after`()
    throws
  {
    var provider = DiligentProvider()
    provider.watch.sentToListed(wasRead: false, at: provider.now)
    #expect(provider.advice(.sentToListedToken)?.severity == .hint)
    provider.watch.sentToListed(wasRead: true, at: provider.now)
    let advice = try #require(provider.advice(.sentToListedToken))
    #expect(advice.severity == .warning)
    #expect(
      advice.text.hasPrefix(
        "2 notifications were sent to device tokens that were on the feedback list, 1 of them after the provider had been told, by the list or by 410."
      )
    )
  }
}
