import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

/// The answer that a row describes leaves on both interfaces.
@Suite(.mustNotHang) struct `Effects on answers` {
  /// A row that is made here: an answer that waits, and then leaves in two records.
  private static let late = Fault(
    FaultTitle("late", tag: 200, on: [.gateway, .http2]),
    words: FaultWords(
      meaning: "The answer waits, and leaves in two TLS records.",
      advice: FaultAdvice.wait
    ),
    sees: ["an answer in two TLS records"],
    effect: .answer(AnswerEffect(delay: .seconds(1), cut: .afterFirstByte))
  )

  @Test func `the six bytes wait by the simulated clock, and leave in two TLS records`() async throws {
    try await TestServer.run { options in
      options.stopTheClock()
      TestServer.known(&options)
      options.rule(.fault(Self.late), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(2, bad: 2))
      await test.waitForDeadlines(1)
      try test.advance(.milliseconds(999))
      try await test.fence()
      #expect(provider.spy.data.isEmpty)
      try test.advance(.milliseconds(1))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 2) && received.endedInOrder)
      #expect(provider.recordSizes == [1, 5])
    }
  }

  @Test func `HEADERS wait by the simulated clock, and leave in two TLS records`() async throws {
    try await `Faults of requests over TLS`.run((Self.late, nil, 2)) { test, request in
      let requester = try await TestRequester.connect(test)
      _ = await requester.settings(1)
      #expect(try await requester.push(request).text == "200")
      let before = requester.provider.spy.data.count
      try await requester.provider.send(requester.frames(request).bytes)
      await test.waitForDeadlines(1)
      try test.advance(.seconds(1))
      #expect(await requester.answer(3).text == "200")
      // TLS 1.3 adds 17 bytes to a record: a byte for its kind, and the tag (RFC 8446, section 5.2).
      let sizes = requester.provider.spy.data.dropFirst(before).map { $0.byteCount - 17 }
      #expect(sizes.contains(1) && (sizes.last ?? 0) > 1)
      await requester.provider.close()
    }
  }
}
