import APNSimCore
import Testing

@Suite struct `Notifications per write` {
  @Test func `notifications written one by one, twenty times in quick succession, are advised on`() throws {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...19 { send(&provider, UInt32(read), on: &connection) }
    var other = provider
    other.close(connection)
    #expect(other.advice.isEmpty)
    send(&provider, 20, on: &connection)
    provider.close(connection)
    let advice = try #require(provider.advice(.oneNotificationPerWrite))
    #expect(advice.count == 20)
    #expect(advice.severity == .hint)
    #expect(advice.first == Moment.start)
    #expect(advice.last == Moment.start + .milliseconds(19 * 50))
  }

  @Test func `notifications that go on one by one are counted each`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...1000 { send(&provider, UInt32(read), on: &connection) }
    provider.close(connection)
    #expect(provider.count(.oneNotificationPerWrite) == 1000)
  }

  @Test func `notifications may be written one by one when there is time between them`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...100 {
      send(&provider, UInt32(read), on: &connection)
      if read.isMultiple(of: 19) { provider.wait(.milliseconds(1)) }
    }
    provider.close(connection)
    #expect(provider.advice.isEmpty)
  }

  @Test func `several notifications in one write begin a new count`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...100 {
      send(&provider, UInt32(read), read.isMultiple(of: 19) ? 2 : 1, on: &connection)
    }
    provider.close(connection)
    #expect(provider.advice.isEmpty)
  }

  @Test func `the notifications of one read may come in several batches`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...100 {
      provider.send(1, read: UInt32(read), on: &connection)
      provider.send(1, read: UInt32(read), on: &connection)
    }
    provider.close(connection)
    #expect(provider.advice.isEmpty)
  }

  @Test func `notifications per write say nothing where reads are not to matter`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for _ in 0..<1000 { provider.send(1, read: 0, on: &connection) }
    provider.close(connection)
    #expect(provider.advice.isEmpty)
  }

  /// One read, 50 ms after the one before.
  private func send(
    _ provider: inout DiligentProvider,
    _ read: UInt32,
    _ count: Int = 1,
    on connection: inout ConnectionDiligence
  ) {
    if read > 1 { provider.wait(.milliseconds(50)) }
    provider.send(count, read: read, on: &connection)
  }
}
