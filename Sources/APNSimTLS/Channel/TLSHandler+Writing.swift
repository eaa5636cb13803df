package import NIOCore

/// Outbound operations: application data, close_notify, closing.
extension TLSHandler {
  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard state != .closed, state != .draining, !sentCloseNotify else {
      promise?.fail(state == .open ? ChannelError.outputClosed : ChannelError.ioOnClosedChannel)
      return
    }
    writes.append(unwrapOutboundIn(data), promise)
  }

  package func flush(context: ChannelHandlerContext) {
    writes.markFlushed()
    if state == .open { sendWrites(context) }
    context.flush()
  }

  /// Encrypts everything flushed into one socket write. An empty write stays in order after earlier ones: its promise
  /// completes when all of them are with the kernel.
  func sendWrites(_ context: ChannelHandlerContext) {
    guard let promise = encryptWrites(context) else { return }
    context.writeAndFlush(wrapOutboundOut(connection.takeOutput() ?? ByteBuffer()), promise: promise)
  }

  /// Encrypts everything flushed and returns one promise for all of it; `nil` when there was nothing, or TLS failed.
  private func encryptWrites(_ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
    guard writes.hasFlushed else { return nil }
    let promise = context.eventLoop.makePromise(of: Void.self)
    connection.reserveOutput(for: writes.byteCount)
    while let write = writes.popFlushed() {
      write.promise.map { promise.futureResult.cascade(to: $0) }
      guard connection.send(write.bytes) else {
        let error = connection.failure(firstBytes: [])
        promise.fail(error)
        fail(context, error)
        return nil
      }
    }
    return promise
  }

  package func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    switch event as? TLSCommand {
    case .closeNotify: sendCloseNotify(context, promise)
    case .discardInput:
      discardsInput = true
      promise?.succeed()
    case .omitCloseNotify:
      omitsCloseNotify = true
      promise?.succeed()
    case nil: context.triggerUserOutboundEvent(event, promise: promise)
    }
  }

  private func sendCloseNotify(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    guard state == .open else {
      promise?.fail(TLSError(.outputClosed, "there is no TLS session to end", duringHandshake: false))
      return
    }
    guard !sentCloseNotify else {
      promise?.succeed()
      return
    }
    let data = encryptWrites(context)
    guard state == .open else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    sentCloseNotify = true
    connection.sendCloseNotify()
    writes.fail(ChannelError.outputClosed)
    let sent = data ?? context.eventLoop.makePromise(of: Void.self)
    promise.map { sent.futureResult.cascade(to: $0) }
    context.writeAndFlush(wrapOutboundOut(connection.takeOutput() ?? ByteBuffer()), promise: sent)
  }

  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .all, state == .draining {
      // The alert must not be lost to a TCP reset: the channel closes as soon as the peer has closed, or the linger
      // ends.
      promise.map { closePromises.append($0) }
      return
    }
    if mode != .input, state == .open, !omitsCloseNotify { sendCloseNotify(context, nil) }
    if mode == .all { state = .closed }
    guard mode == .output, state == .open, hasTCPEnded else {
      return context.close(mode: mode, promise: promise)
    }
    // With the input at its end the channel closes as a whole, and would drop what the socket has not accepted.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: promise) }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
  }
}

/// The writes that wait to be encrypted, in order, with a mark after the last flushed one.
struct PendingWrites {
  struct Write {
    var bytes: ByteBuffer
    var promise: EventLoopPromise<Void>?
  }

  private var queue = MarkedCircularBuffer<Write>(initialCapacity: 4)

  var hasFlushed: Bool { queue.hasMark }
  /// The number of bytes that wait, flushed or not.
  private(set) var byteCount = 0

  mutating func append(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
    byteCount += bytes.readableBytes
    queue.append(Write(bytes: bytes, promise: promise))
  }

  mutating func markFlushed() { queue.mark() }

  mutating func popFlushed() -> Write? {
    guard queue.hasMark, let write = queue.popFirst() else { return nil }
    byteCount -= write.bytes.readableBytes
    return write
  }

  /// Fails all writes. The queue is emptied first, since failing a promise may lead to another write.
  mutating func fail(_ error: any Error) {
    let all = queue
    queue = MarkedCircularBuffer(initialCapacity: 4)
    byteCount = 0
    for write in all { write.promise?.fail(error) }
  }
}
