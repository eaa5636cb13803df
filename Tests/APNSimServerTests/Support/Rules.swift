import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

/// Scripts for tests, as values.
extension TestServer.Options {
  /// A rule for one connection of a listener, or for all.
  mutating func rule(
    _ action: Rule.Action,
    listener: Listener? = .gateway,
    connection: Int? = nil,
    nth: Int? = nil
  ) {
    var match = RuleMatch()
    match.listener = RuleMatch.Door(listener)
    match.connection = connection.map { .equals(.number("\($0)")) }
    match.nth = nth.map { .equals(.number("\($0)")) }
    scenario.rules.append(Rule(when: match, action: action))
  }

  /// Time stands still until the test moves it.
  mutating func stopTheClock() { scenario.clock = .virtual(start: nil) }
}

extension TestServer {
  func advance(_ span: TimeSpan) throws { try server.perform(.advanceClock(span)) }

  /// Another connection comes, is answered and goes: whatever was on its way when it came has arrived.
  func fence() async throws {
    let provider = try await gateway()
    try await provider.send(Frames.enhanced(0xFE, to: MagicToken(kind: .refuse, code: 8).token()))
    #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 0xFE))
  }

  /// Waits until the simulator has so many things to do later.
  func waitForDeadlines(_ count: Int) async {
    let isSo = await eventually { simulator.pendingDeadlines >= count }
    #expect(isSo || Task.isCancelled)
  }
}

extension TestProvider {
  /// The sizes of the records of application data so far, without what encryption adds to each.
  var recordSizes: [Int] { spy.data.map { $0.byteCount - 24 } }
}

extension TestProvider.Received {
  var wasReset: Bool { error?.contains("reset") == true }
  /// close_notify and FIN, with nothing wrong.
  var endedInOrder: Bool { sawCloseNotify && error == nil }
}
