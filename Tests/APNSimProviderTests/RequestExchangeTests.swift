import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import APNSimProvider

/// Pushes over a connection whose peer is written by hand, frame by frame.
@Suite struct `Pushes over HTTP/2` {
  private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
  }

  /// SETTINGS with MAX_CONCURRENT_STREAMS.
  private static func settings(_ streams: UInt8) -> [UInt8] { frame(4, 0, 0, [0, 3, 0, 0, 0, streams]) }
  private static func reset(_ stream: UInt8, _ code: UInt8) -> [UInt8] {
    frame(3, 0, stream, [0, 0, 0, code])
  }
  /// `:status: 200` and the end of the stream.
  private static func success(_ stream: UInt8) -> [UInt8] { frame(1, 5, stream, [0x88]) }
  /// `:status: 400` and a body.
  private static func refusal(_ stream: UInt8, _ body: String) -> [UInt8] {
    frame(1, 4, stream, [0x8C]) + frame(0, 1, stream, Array(body.utf8))
  }
  private static func goAway(_ last: UInt8, _ debug: String) -> [UInt8] {
    frame(7, 0, 0, [0, 0, 0, last, 0, 0, 0, 0] + Array(debug.utf8))
  }

  /// One connection and the report that is to come.
  private struct Conversation {
    let channel = EmbeddedChannel()
    let report: EventLoopFuture<RequestReport>

    init(count: Int, patience: Duration = .seconds(60)) throws {
      let handler = try HTTP2Connection.addRequestHandlers(to: channel, authority: "localhost")
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      let plan = RequestPlan(count: count) { index in
        PushRequest(token: "0\(index)", fields: [("apns-topic", "t")], body: [0x7B, 0x7D])
      }
      report = handler.run(RequestExchange(plan: plan, patience: patience))
    }

    func receive(_ bytes: [UInt8]...) throws {
      for bytes in bytes {
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        channel.embeddedEventLoop.run()
      }
    }

    /// The number of HEADERS written so far.
    func headers() throws -> Int {
      var written: [UInt8] = []
      while let buffer = try channel.readOutbound(as: ByteBuffer.self) { written += buffer.readableBytesView }
      if written.starts(with: "PRI".utf8) { written.removeFirst(24) }
      var count = 0
      while written.count >= 9 {
        if written[3] == 1 { count += 1 }
        written.removeFirst(9 + Int(written[1]) << 8 + Int(written[2]))
      }
      return count
    }
  }

  @Test func `a connection that ends in the read of its last answer leaves nothing behind`() throws {
    weak var ended: EmbeddedChannel?
    do {
      let conversation = try Conversation(count: 1)
      try conversation.receive(Self.settings(1))
      let pipeline = conversation.channel.pipeline
      pipeline.fireChannelRead(ByteBuffer(bytes: Self.success(1)))
      pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      conversation.channel.embeddedEventLoop.run()
      #expect(try conversation.report.wait().accepted == 1)
      ended = conversation.channel
    }
    #expect(ended == nil)
  }

  /// Closes the connection at what is written after its beginning, as a socket does that the peer has reset.
  private final class ClosingHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var isReady = false

    func flush(context: ChannelHandlerContext) {
      if isReady { context.close(promise: nil) } else { context.flush() }
    }
  }

  @Test func `a stream that opens after the one before it ended the connection leaves nothing behind`() throws
  {
    weak var ended: EmbeddedChannel?
    do {
      let conversation = try Conversation(count: 2)
      let closing = ClosingHandler()
      try conversation.channel.pipeline.syncOperations.addHandler(closing, position: .first)
      closing.isReady = true
      try conversation.receive(Self.settings(2))
      let report = try conversation.report.wait()
      #expect(report.sent == 2 && report.unanswered == 2, "\(report.groups)")
      ended = conversation.channel
    }
    #expect(ended == nil)
  }

  @Test func `as many requests are open as the peer allows, also when it changes its mind`() throws {
    let conversation = try Conversation(count: 5)
    #expect(try conversation.headers() == 0)
    try conversation.receive(Self.settings(2))
    #expect(try conversation.headers() == 2)
    try conversation.receive(Self.success(1))
    #expect(try conversation.headers() == 1)
    try conversation.receive(Self.settings(9))
    #expect(try conversation.headers() == 2)
    for stream in [3, 5, 7, 9] as [UInt8] { try conversation.receive(Self.success(stream)) }
    let report = try conversation.report.wait()
    #expect(report.isSuccess && report.sent == 5)
    #expect(report.groups.map(\.count) == [5])
  }

  @Test func `each reset, refused and refusing stream is told of by itself`() throws {
    let conversation = try Conversation(count: 4)
    try conversation.receive(
      Self.settings(100),
      Self.reset(1, 7),
      Self.reset(3, 2),
      Self.refusal(5, #"{"reason":"BadDeviceToken"}"#),
      Self.success(7)
    )
    let report = try conversation.report.wait()
    #expect(
      report.results == [
        .refused, .reset("INTERNAL_ERROR"), .answered(PushAnswer(status: 400, reason: "BadDeviceToken")),
        .answered(PushAnswer(status: 200)),
      ]
    )
    #expect(!report.isSuccess && !report.isAnswered && report.accepted == 1)
    guard case .answered(let answer)? = report.results[2] else { return }
    #expect(answer.meaning?.hasPrefix("The specified device token is invalid") == true)
  }

  @Test func `GOAWAY leaves those above its last stream, and those not sent, to be sent again`() throws {
    let conversation = try Conversation(count: 5)
    try conversation.receive(Self.settings(3), Self.goAway(3, #"{"reason":"Shutdown"}"#))
    try conversation.receive(Self.success(1), Self.success(3))
    let report = try conversation.report.wait()
    let success = PushFate.answered(PushAnswer(status: 200))
    #expect(report.results == [success, success, .goneAway, .notSent, .notSent])
    #expect(report.sent == 3)
    #expect(
      report.goAway == .init(lastStream: 3, code: "NO_ERROR", debug: #"{"reason":"Shutdown"}"#)
    )
  }

  @Test func `what GOAWAY left is sent again over another connection, and nothing twice`() async throws {
    let plan = RequestPlan(count: 6) { PushRequest(token: "0\($0)", fields: [], body: []) }
    let exchange = RequestExchange(plan: plan, patience: .seconds(1))
    let success = PushFate.answered(PushAnswer(status: 200))
    let notice = RequestReport.GoAway(lastStream: 5, code: "NO_ERROR", debug: "")
    var tries: [[String]] = []
    func report(_ exchange: RequestExchange, _ outcomes: [PushFate], _ goAway: Bool) -> RequestReport {
      tries.append((0..<exchange.plan.count).map { exchange.plan.request(at: $0).token })
      var report = RequestReport(count: outcomes.count)
      // They come in any order.
      for (index, outcome) in outcomes.enumerated().reversed() { report.note(outcome, of: index) }
      report.sent = outcomes.count { $0 != .notSent }
      report.goAway = goAway ? notice : nil
      return report
    }
    let courses: [[PushFate]] = [
      [success, .unanswered, .goneAway, .refused, .notSent, .notSent],
      [.goneAway, success, .notSent, .notSent],
      [success, success, success],
    ]
    var next = 1
    let found = try await exchange.deliver({ report($0, courses[0], true) }) { exchange in
      defer { next += 1 }
      return report(exchange, courses[next], next == 1)
    }
    #expect(tries == [["00", "01", "02", "03", "04", "05"], ["02", "03", "04", "05"], ["02", "04", "05"]])
    #expect(found.results == [success, .unanswered, success, success, success, success])
    #expect(found.sent == 6 && found.accepted == 5 && found.goAway == nil)
    #expect(found.groups.map(\.count).sorted() == [1, 5])
    #expect(
      found.reconnections == [.init(goAway: notice, sentAgain: 2), .init(goAway: notice, sentAgain: 1)]
    )
  }

  @Test func `a server over which nothing is answered is not asked for ever`() async throws {
    let exchange = RequestExchange(
      plan: RequestPlan(count: 2) { _ in PushRequest(token: "", fields: [], body: []) },
      patience: .seconds(1)
    )
    var tries = 0
    func nothing() -> RequestReport {
      tries += 1
      var report = RequestReport(count: 2)
      report.note(.notSent, of: 0, number: 2)
      report.isClosed = true
      return report
    }
    let found = try await exchange.deliver({ _ in nothing() }, again: { _ in nothing() })
    #expect(tries == 1 && found.results == [.notSent, .notSent] && found.gaveUp)
  }

  @Test func `what has no answer at the connection's end may have been processed`() throws {
    let conversation = try Conversation(count: 3)
    try conversation.receive(Self.settings(2), Self.success(1))
    conversation.channel.pipeline.fireChannelInactive()
    conversation.channel.embeddedEventLoop.run()
    let report = try conversation.report.wait()
    #expect(
      report.results == [.answered(PushAnswer(status: 200)), .unanswered, .unanswered]
    )
    #expect(report.ending == .closed)
  }

  @Test func `answers that come together with the connection's end count`() throws {
    let conversation = try Conversation(count: 2)
    try conversation.receive(Self.settings(2))
    let bytes = Self.success(1) + Self.success(3) + Self.goAway(3, "")
    conversation.channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
    conversation.channel.pipeline.fireChannelInactive()
    conversation.channel.embeddedEventLoop.run()
    #expect(try conversation.report.wait().isSuccess)
  }

  @Test func `the wait ends where nothing comes, and it is said what did not`() throws {
    let conversation = try Conversation(count: 1, patience: .zero)
    conversation.channel.embeddedEventLoop.advanceTime(by: .milliseconds(5))
    let report = try conversation.report.wait()
    #expect(report.results == [.notSent] && report.ending == .noSettings)
    let silent = try Conversation(count: 1, patience: .zero)
    try silent.receive(Self.settings(2))
    silent.channel.embeddedEventLoop.advanceTime(by: .milliseconds(5))
    #expect(try silent.report.wait().ending == .silent)
  }

  @Test func `what is wrong with a server's frames is said in words of the protocol`() {
    let errors: [any Error] = [
      NIOHTTP2Errors.unableToSerializeFrame(), NIOHTTP2Errors.flowControlViolation(),
      NIOHTTP2Errors.excessiveControlFrames(), NIOHTTP2Errors.missingPreface(),
      NIOHTTP2Errors.ioOnClosedConnection(), NIOHTTP2Errors.noSuchStream(streamID: 3),
      NIOHTTP2Errors.invalidSetting(setting: HTTP2Setting(parameter: .enablePush, value: 2)),
      NIOHTTP2Errors.streamError(streamID: 1, baseError: NIOHTTP2Errors.missingPseudoHeader(":status")),
    ]
    for error in errors {
      let words = ProviderFailure.words(error)
      #expect(words.contains("server") || words.contains("request"), "\(words)")
      #expect(!words.contains("(file") && !words.contains("NIO") && !words.contains(".swift"), "\(words)")
    }
  }

  @Test func `a replay takes RST_STREAM after GOAWAY for what GOAWAY says`() throws {
    let channel = EmbeddedChannel()
    var seen: [String] = []
    let handler = try ReplayRequestHandler.add(to: channel, authority: "localhost") { report in
      switch report {
      case .ended(let stream, let outcome): seen.append("\(stream) \(outcome)")
      case .closed(let failure): seen.append("closed \(failure ?? "")")
      case .sent, .goAway, .unsendable: break
      }
    }
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    for stream in [1, 3] as [UInt32] {
      handler.send(PushRequest(token: "", fields: [], body: [0x7B, 0x7D]), as: stream, holdsBody: false)
    }
    for bytes in [Self.settings(9), Self.success(1), Self.goAway(1, ""), Self.reset(3, 7)] {
      channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
      channel.pipeline.fireChannelReadComplete()
      channel.embeddedEventLoop.run()
    }
    handler.send(PushRequest(token: "", fields: [], body: []), as: 5, holdsBody: false)
    channel.pipeline.fireChannelInactive()
    channel.embeddedEventLoop.run()
    #expect(seen.first?.hasPrefix("1 answered") == true)
    #expect(seen.contains("3 goneAway") && seen.contains("5 goneAway"))
    #expect(seen.filter { $0.hasPrefix("closed") } == ["closed "], "\(seen)")
  }
}
