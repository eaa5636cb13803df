import APNSimTLS
import APNSimTestSupport
import NIOCore
import NIOEmbedded
import Testing

@Suite(.mustNotHang)
struct WriteOrderTests {
  /// Stands for a socket that takes nothing until it takes everything.
  private final class FullSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var held: [EventLoopPromise<Void>] = []
    private var isFull = true
    private(set) var halfCloses = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard let promise else { return }
      if isFull { held.append(promise) } else { promise.succeed() }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      guard mode == .output else { return context.close(mode: mode, promise: promise) }
      halfCloses += 1
      promise?.succeed()
    }

    func takeEverything() {
      isFull = false
      let all = held
      held = []
      for promise in all { promise.succeed() }
    }
  }

  private final class Outcome {
    var isDone = false
  }

  private func connected() throws -> (pair: EmbeddedPair, socket: FullSocket) {
    let pair = try EmbeddedPair(client: Contexts.client(), server: Contexts.server())
    try pair.pump()
    let socket = FullSocket()
    try pair.server.pipeline.syncOperations.addHandler(socket, position: .first)
    return (pair, socket)
  }

  private func watch(_ future: EventLoopFuture<Void>) -> Outcome {
    let outcome = Outcome()
    future.assumeIsolated().whenComplete { _ in outcome.isDone = true }
    return outcome
  }

  @Test
  func `an empty write succeeds when what was written before it has left`() throws {
    let (pair, socket) = try connected()
    defer { pair.finish() }
    pair.server.writeAndFlush(ByteBuffer(string: "tuples"), promise: nil)
    let outcome = watch(pair.server.writeAndFlush(ByteBuffer()))
    #expect(!outcome.isDone)
    socket.takeEverything()
    #expect(outcome.isDone)
  }

  @Test(arguments: [false, true])
  func `our side is closed when everything has left, where the peer's is closed`(omitsCloseNotify: Bool)
    throws
  {
    let (pair, socket) = try connected()
    defer { pair.finish() }
    if omitsCloseNotify {
      pair.server.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil)
    }
    pair.server.writeAndFlush(ByteBuffer(string: "tuples"), promise: nil)
    pair.server.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    pair.server.close(mode: .output, promise: nil)
    #expect(socket.halfCloses == 0)
    socket.takeEverything()
    #expect(socket.halfCloses == 1)
  }
}
