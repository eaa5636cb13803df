import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

/// A recording of the faults of requests, on one connection each.
@Suite(.mustNotHang) struct `A recording of faults of requests` {
  private static let faults: [Fault] = [
    .goaway(.init(reason: .shutdown)), .goaway(.init(lastStream: .below, then: .open)),
    .goaway(.init(lastStream: .zero, then: .refuse, isTwice: true)), .resetStream(.refusedStream),
    .unanswered(true), .unanswered(false),
    .slowAnswer(.milliseconds(1), .milliseconds(1)), .maxStreams(7), .stickyServerError,
    .close(.now), .reset(.now), .stopReading(.now),
  ]
  private static let connectionFaults: [Fault] = [
    .close(.afterRequests(2)), .reset(.afterRequests(2)), .stopReading(.afterRequests(2)),
    .close(.afterRequests(0)), .reset(.afterBytes(TestRequester.opening.count + 40)),
    .close(.afterBytes(0)), .blackHole, .zeroWindow, .ignorePing, .ignoreSettings,
    .closeAfterHandshake(.zero),
  ]

  @Test(arguments: [false, true])
  func `a recording of faults of requests replays to itself, byte for byte`(isVirtual: Bool) async throws {
    let journal = try await Self.record(isVirtual: isVirtual)
    try expectReplaysToItself(journal)
    // It is worth something.
    #expect(journal.ranges(of: #""fault":"goaway""#).count == 3)
    #expect(journal.ranges(of: #""outcome":"discarded""#).count >= 6)
    #expect(journal.ranges(of: #""event":"faultFired""#).count == 18)
  }

  private static func record(isVirtual: Bool) async throws -> String {
    var journal = ""
    let start = Timestamp(seconds: 1_780_000_000)
    // Answers on their way by a clock that stands still would keep their connection for good.
    let jitter = isVirtual ? [] : [Fault.jitter(.zero, .milliseconds(3))]
    let connectionFaults = connectionFaults + jitter
    try await TestServer.run({
      if isVirtual {
        $0.start = start
        $0.stopTheClock()
      }
      TestServer.known(&$0)
      $0.server.timing.linger = .milliseconds(100)
      for (place, fault) in faults.enumerated() {
        $0.rule(.fault(fault), listener: .http2, connection: place + 1, nth: 2)
      }
      for (place, fault) in connectionFaults.enumerated() {
        $0.rule(.fault(fault), listener: .http2, connection: faults.count + place + 1)
      }
    }) { test in
      let issued = isVirtual ? start : test.simulator.time(at: Timestamp(Date()))
      let request = try TestRequester.Request(authorization: TestTokens.bearer(issuedAt: issued))
      for (place, fault) in (faults + connectionFaults).enumerated() {
        try await provider(of: test, request, fault, place + 1, isVirtual: isVirtual)
      }
      await test.server.stop()
      journal = test.journal.lines.joined(separator: "\n") + "\n"
    }
    return journal
  }

  /// Sends four requests in two writes, and closes once they are there or the connection has ended.
  private static func provider(
    of test: TestServer,
    _ request: TestRequester.Request,
    _ fault: Fault,
    _ place: Int,
    isVirtual: Bool
  ) async throws {
    let requester = try await TestRequester.connect(test)
    for _ in 0..<2 {
      let bytes = (0..<2).flatMap { _ in requester.frames(request).bytes }
      requester.provider.sendWithoutWaiting(bytes)
    }
    let id = #""connection":"c\#(place)""#
    func wait(for event: String, _ count: Int) async {
      await test.journal.wait { lines in
        lines.count { $0.contains(id) && $0.contains(#""event":"\#(event)""#) } == count
      }
    }
    switch fault.name {
    case "close", "reset", "closeAfterHandshake": break
    // Its end is not noticed, either.
    case "stopReading":
      await wait(for: "faultFired", 1)
      return await requester.provider.close()
    default: await wait(for: "notification", 4)
    }
    // An answer on its way would keep its connection.
    if isVirtual, fault.name == "slowAnswer" { try test.advance(.milliseconds(2)) }
    await requester.provider.close()
    await wait(for: "connectionClosed", 1)
  }
}

extension Timestamp {
  fileprivate init(_ date: Date) { self.init(seconds: Int64(date.timeIntervalSince1970)) }
}
