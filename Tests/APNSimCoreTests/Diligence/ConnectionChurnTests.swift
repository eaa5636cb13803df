import APNSimCore
import Testing

@Suite struct `Connection churn` {
  @Test func `churn is twenty connections within a minute that are closed again at once`() throws {
    var provider = DiligentProvider()
    for _ in 0..<19 { cycle(&provider) }
    #expect(provider.advice.isEmpty)
    cycle(&provider)
    let advice = try #require(provider.advice(.connectionChurn))
    #expect(advice.count == 20)
    #expect(advice.severity == .warning)
    #expect(advice.first == Moment.start)
    #expect(advice.last == Moment.start + .seconds(19))
    cycle(&provider)
    #expect(provider.count(.connectionChurn) == 21)
  }

  @Test func `churn is not the same number spread over a longer time`() {
    var provider = DiligentProvider()
    for _ in 0..<100 { cycle(&provider, every: .seconds(4)) }
    #expect(provider.advice.isEmpty)
  }

  @Test func `churn is counted once for each connection, however windows overlap`() {
    var provider = DiligentProvider { $0.churnQuiet = .seconds(1) }
    for _ in 0..<50 { cycle(&provider, every: .seconds(2)) }
    #expect(provider.count(.connectionChurn) == 50)
  }

  @Test func `churn is not a hundred parallel connections that stay open`() {
    var provider = DiligentProvider()
    let connections = (0..<100).map { _ in provider.open() }
    #expect(provider.advice.isEmpty)
    provider.wait(.seconds(10))
    for connection in connections { provider.close(connection) }
    #expect(provider.advice.isEmpty)
  }

  @Test func `churn is not reconnecting after errors`() {
    var provider = DiligentProvider()
    for _ in 0..<100 { provider.close(provider.open(), byProvider: false) }
    #expect(provider.advice.isEmpty)
  }

  @Test func `churn is refused, where that is enforced, until the provider was quiet for a minute`() {
    var provider = DiligentProvider()
    for _ in 0..<20 {
      #expect(!provider.watch.refusesConnection(at: provider.now))
      cycle(&provider, every: .zero)
    }
    #expect(provider.watch.refusesConnection(at: provider.now))
    provider.wait(.seconds(59))
    #expect(provider.watch.refusesConnection(at: provider.now))
    provider.wait(.seconds(1))
    #expect(!provider.watch.refusesConnection(at: provider.now))
  }

  @Test func `a refusal of churn is prolonged by every attempt, and counted`() {
    var provider = DiligentProvider()
    for _ in 0..<20 { cycle(&provider, every: .zero) }
    for _ in 0..<5 {
      provider.wait(.seconds(30))
      #expect(provider.watch.refusesConnection(at: provider.now))
      provider.watch.connectionRefused(at: provider.now)
    }
    #expect(provider.count(.connectionChurn) == 25)
    provider.wait(.seconds(60))
    #expect(!provider.watch.refusesConnection(at: provider.now))
  }

  @Test func `forgiven churn does not come back with the first short connection`() {
    var provider = DiligentProvider()
    for _ in 0..<20 { cycle(&provider, every: .zero) }
    provider.wait(.minutes(1))
    for _ in 0..<19 { cycle(&provider, every: .zero) }
    #expect(!provider.watch.refusesConnection(at: provider.now))
    #expect(provider.count(.connectionChurn) == 20)
    cycle(&provider, every: .zero)
    #expect(provider.count(.connectionChurn) == 40)
  }

  private func cycle(_ provider: inout DiligentProvider, every span: TimeSpan = .seconds(1)) {
    provider.close(provider.open())
    provider.wait(span)
  }
}
