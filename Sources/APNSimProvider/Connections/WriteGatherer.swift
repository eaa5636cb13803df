import NIOCore

/// Sends what is written within one turn of the event loop as one piece, so that a server finds the requests of a step
/// together, as long as they fit into one of its reads.
final class WriteGatherer: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var gathered = ByteBuffer()
  private var written: EventLoopPromise<Void>?
  private var isScheduled = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var bytes = unwrapOutboundIn(data)
    gathered.writeBuffer(&bytes)
    let written = written ?? context.eventLoop.makePromise(of: Void.self)
    self.written = written
    if let promise { written.futureResult.cascade(to: promise) }
  }

  func flush(context: ChannelHandlerContext) {
    guard !isScheduled else { return }
    isScheduled = true
    context.eventLoop.assumeIsolated().execute {
      self.isScheduled = false
      self.send(context)
    }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    send(context)
    context.close(mode: mode, promise: promise)
  }

  private func send(_ context: ChannelHandlerContext) {
    guard let written else { return }
    self.written = nil
    let bytes = gathered
    gathered = ByteBuffer()
    context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
  }
}
