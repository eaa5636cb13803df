import APNSimCore
import Testing

@Suite struct `A provider that met an error` {
  @Test func `a provider that met an error may have written what was under way`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    let errorAt = provider.now
    provider.wait(.seconds(1))
    provider.watch.discarded(10_000, resent: 0, errorAt: errorAt, on: &connection, at: provider.now)
    #expect(provider.advice.isEmpty)
  }

  @Test func `a provider is advised when it writes on after an error for more than a second`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    let errorAt = provider.now
    provider.watch.discarded(10, resent: 0, errorAt: errorAt, on: &connection, at: provider.now)
    provider.wait(.milliseconds(1001))
    provider.watch.discarded(3, resent: 0, errorAt: errorAt, on: &connection, at: provider.now)
    #expect(provider.count(.errorIgnored) == 3)
    #expect(provider.advice(.errorIgnored)?.severity == .warning)
  }

  @Test func `a provider is advised when it writes on for ten thousand while time stands still`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    for _ in 0..<100 {
      provider.watch.discarded(101, resent: 0, errorAt: provider.now, on: &connection, at: provider.now)
    }
    #expect(provider.count(.errorIgnored) == 101)
  }

  @Test func `a provider that had no error response is not blamed for ignoring it`() {
    var provider = DiligentProvider()
    var connection = provider.open()
    provider.wait(.hours(1))
    provider.watch.discarded(20_000, resent: 0, errorAt: nil, on: &connection, at: provider.now)
    #expect(provider.advice.isEmpty)
  }

  @Test func `a provider that resends everything after an error does right`() {
    var provider = failed(discarding: 50)
    var connection = provider.open()
    provider.send(30, resent: 30, on: &connection)
    provider.send(20, resent: 20, on: &connection)
    provider.send(1000, on: &connection)
    provider.close(connection)
    #expect(provider.advice.isEmpty)
  }

  @Test func `a provider that goes on with other notifications is advised once`() throws {
    var provider = failed(discarding: 50)
    provider.wait(.seconds(5))
    var connection = provider.open()
    provider.send(99, on: &connection)
    #expect(provider.advice.isEmpty)
    provider.send(1, on: &connection)
    provider.send(500, on: &connection)
    provider.close(connection)
    let advice = try #require(provider.advice(.discardedNotResent))
    #expect(advice.count == 50)
    #expect(advice.first == Moment.start)
  }

  @Test func `a provider that resends a part is advised on the rest`() {
    var provider = failed(discarding: 50)
    var connection = provider.open()
    provider.send(30, resent: 30, on: &connection)
    provider.send(100, on: &connection)
    #expect(provider.count(.discardedNotResent) == 20)
  }

  @Test func `a provider that resends after everything else is not advised any more`() {
    var provider = failed(discarding: 50)
    var connection = provider.open()
    provider.send(300, on: &connection)
    #expect(provider.count(.discardedNotResent) == 50)
    provider.send(20, resent: 20, on: &connection)
    #expect(provider.count(.discardedNotResent) == 30)
    provider.send(30, resent: 30, on: &connection)
    #expect(provider.advice.isEmpty)
  }

  @Test func `a provider that was advised stays so when the connection is forgotten`() {
    var provider = failed(discarding: 50)
    var connection = provider.open()
    provider.send(100, on: &connection)
    provider.watch.forgets(50)
    #expect(provider.count(.discardedNotResent) == 50)
    fail(&provider, discarding: 7)
    provider.watch.forgets(7)
    #expect(provider.count(.discardedNotResent) == 50)
  }

  @Test func `a provider that closes the next connection without resending is advised`() {
    var provider = failed(discarding: 50)
    var connection = provider.open()
    provider.send(3, on: &connection)
    provider.close(connection)
    #expect(provider.count(.discardedNotResent) == 50)
  }

  @Test func `a provider that met an error may resend over several connections`() {
    var provider = failed(discarding: 3)
    for _ in 0..<3 {
      var connection = provider.open()
      provider.send(1, resent: 1, on: &connection)
      provider.close(connection)
    }
    #expect(provider.advice.isEmpty)
  }

  @Test func `a provider may send on over connections that were open before, or open one in vain`() {
    var provider = DiligentProvider()
    var parallel = provider.open()
    fail(&provider, discarding: 50)
    provider.send(500, on: &parallel)
    provider.close(parallel)
    provider.close(provider.open())
    #expect(provider.advice.isEmpty)
  }

  @Test func `a provider that met an error owes nothing any more for what it was advised on`() {
    var provider = failed(discarding: 50)
    var connection = provider.open()
    provider.send(100, on: &connection)
    fail(&provider, discarding: 7)
    provider.send(1000, on: &connection)
    #expect(provider.count(.discardedNotResent) == 50)
  }

  private func failed(discarding count: Int) -> DiligentProvider {
    var provider = DiligentProvider()
    fail(&provider, discarding: count)
    return provider
  }

  private func fail(_ provider: inout DiligentProvider, discarding count: Int) {
    var connection = provider.open()
    provider.send(1, on: &connection)
    provider.watch.discarded(count, resent: 0, errorAt: provider.now, on: &connection, at: provider.now)
    provider.close(connection, byProvider: false)
  }
}
