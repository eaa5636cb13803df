import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import APNSimControl

@Suite struct `An answer whose reader takes its time` {
  private typealias Request = HTTPServerRequestPart
  private typealias Answer = HTTPServerResponsePart

  /// A socket that takes nothing until it is told to.
  private final class Socket: ChannelOutboundHandler {
    typealias OutboundIn = Any
    var isTaking = false

    func flush(context: ChannelHandlerContext) { if isTaking { context.flush() } }
  }

  private let channel = EmbeddedChannel()
  private let socket = Socket()

  init() throws {
    try channel.pipeline.syncOperations.addHandlers([
      socket, RequestPatienceHandler(ControlLimits(), IdleConnections()), LastAnswerHandler(),
    ])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func ask(_ version: HTTPVersion, close: Bool) throws {
    var head = HTTPRequestHead(version: version, method: .GET, uri: "/api/v1/capture")
    if close { head.headers.add(name: "Connection", value: "close") }
    try channel.writeInbound(Request.head(head))
    try channel.writeInbound(Request.end(nil))
  }

  private func answer() {
    channel.write(Answer.head(HTTPResponseHead(version: .http1_1, status: .ok)), promise: nil)
    channel.write(Answer.body(.byteBuffer(ByteBuffer(repeating: 1, count: 1 << 20))), promise: nil)
    channel.writeAndFlush(Answer.end(nil), promise: nil)
  }

  private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  private func take() throws -> Int {
    socket.isTaking = true
    channel.flush()
    var count = 0
    while try channel.readOutbound(as: Answer.self) != nil { count += 1 }
    return count
  }

  @Test(arguments: [HTTPVersion.http1_0, .http1_1])
  func `an answer goes out whole before its connection ends`(version: HTTPVersion) throws {
    try ask(version, close: true)
    answer()
    pass(1000)
    #expect(channel.isActive)
    #expect(try take() == 3)
    #expect(!channel.isActive)
  }

  @Test func `an answer goes out whole to a reader who has ended the other side`() throws {
    try ask(.http1_1, close: false)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    answer()
    // The connection closes the output once there is nothing more to answer.
    channel.close(mode: .output, promise: nil)
    pass(1000)
    #expect(channel.isActive)
    #expect(try take() == 3)
    #expect(!channel.isActive)
  }

  @Test func `an answer ends its connection as the last one when the server is to stop`() throws {
    socket.isTaking = true
    try ask(.http1_1, close: false)
    try ask(.http1_1, close: false)
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    answer()
    #expect(channel.isActive)
    answer()
    #expect(!channel.isActive)
    #expect(try take() == 6)
  }

  @Test func `a connection on which nothing is asked ends when the server is to stop`() throws {
    try ask(.http1_1, close: false)
    socket.isTaking = true
    answer()
    #expect(channel.isActive)
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(!channel.isActive)
  }

  @Test func `the time that an answer takes does not count for the one who asks`() throws {
    try ask(.http1_1, close: false)
    answer()
    pass(1000)
    #expect(channel.isActive)
    #expect(try take() == 3)
    pass(119)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }
}
