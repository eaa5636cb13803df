internal import NIOCore

/// What a connection has sent but a fault still holds back, in order: bytes, and the end behind them.
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

  /// Takes up to `count` bytes off the first operation, which is a write; its promise goes with its last byte.
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

  /// The connection is gone.
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
  /// Lets it go on its way, bytes at once.
  func perform(_ context: ChannelHandlerContext) {
    switch self {
    case .write(let bytes, let promise): context.writeAndFlush(NIOAny(bytes), promise: promise)
    case .event(let event, let promise): context.triggerUserOutboundEvent(event, promise: promise)
    case .close(let mode, let promise): context.close(mode: mode, promise: promise)
    }
  }

  /// The connection closes now: only what says how it closes goes on its way.
  func drop(_ context: ChannelHandlerContext) {
    switch self {
    case .write(_, let promise): promise?.fail(ChannelError.ioOnClosedChannel)
    case .event: perform(context)
    case .close(_, let promise): promise?.succeed()
    }
  }
}

/// How much of what a connection sends is held back by faults, for whoever has more to send.
final class OutputLoad {
  var latent = 0
  var sliced = 0
  /// The connection closes now: what is held does not leave any more.
  var isDropped = false

  private static let limit = 262_144

  /// Whether the sender has to wait; `channelWritabilityChanged` tells when it has not any more.
  var isFull: Bool { latent + sliced >= Self.limit }
}
