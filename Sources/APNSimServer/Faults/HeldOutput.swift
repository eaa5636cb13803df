import NIOCore

/// The output that a fault holds back, in order: bytes, and the end after them.
struct HeldOutput {
  enum Operation {
    case write(ByteBuffer, EventLoopPromise<Void>?)
    case event(Any, EventLoopPromise<Void>?)
    case close(CloseMode, EventLoopPromise<Void>?)
  }

  private var operations: CircularBuffer<Operation> = []
  private(set) var byteCount = 0

  var isEmpty: Bool { operations.isEmpty }
  var first: Operation? { operations.first }

  mutating func append(_ operation: Operation) {
    if case .write(let bytes, _) = operation { byteCount += bytes.readableBytes }
    operations.append(operation)
  }

  mutating func popFirst() -> Operation? {
    let operation = operations.popFirst()
    if case .write(let bytes, _) = operation { byteCount -= bytes.readableBytes }
    return operation
  }

  /// Takes up to `count` bytes of the first operation, which is a write; its promise is returned with its last byte.
  mutating func takeBytes(_ count: Int) -> (bytes: ByteBuffer, promise: EventLoopPromise<Void>?)? {
    guard case .write(var rest, let promise)? = operations.first else { return nil }
    guard rest.readableBytes > count, let piece = rest.readSlice(length: count) else {
      _ = popFirst()
      return (rest, promise)
    }
    byteCount -= count
    operations[operations.startIndex] = .write(rest, promise)
    return (piece, nil)
  }

  /// Fails all held output after the connection has closed.
  mutating func fail() {
    while let operation = popFirst() {
      switch operation {
      case .write(_, let promise), .event(_, let promise): promise?.fail(ChannelError.ioOnClosedChannel)
      case .close(_, let promise): promise?.succeed()
      }
    }
  }
}

extension HeldOutput.Operation {
  /// Passes the operation on, flushing bytes at once.
  func perform(_ context: ChannelHandlerContext) {
    switch self {
    case .write(let bytes, let promise): context.writeAndFlush(NIOAny(bytes), promise: promise)
    case .event(let event, let promise): context.triggerUserOutboundEvent(event, promise: promise)
    case .close(let mode, let promise): context.close(mode: mode, promise: promise)
    }
  }

  /// Drops the operation of a connection that closes now; events that say how it closes are passed on.
  func drop(_ context: ChannelHandlerContext) {
    switch self {
    case .write(_, let promise): promise?.fail(ChannelError.ioOnClosedChannel)
    case .event: perform(context)
    case .close(_, let promise): promise?.succeed()
    }
  }
}

/// The number of bytes that faults hold back, for back-pressure on the sender.
final class OutputLoad {
  var latent = 0
  var sliced = 0
  /// True once the connection closes and the held output is dropped.
  var isDropped = false

  private static let limit = 262_144

  /// True if the sender has to wait; `channelWritabilityChanged` is fired when it has not any more.
  var isFull: Bool { latent + sliced >= Self.limit }
}
