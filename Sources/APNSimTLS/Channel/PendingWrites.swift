import NIOCore

/// Writes that wait to be encrypted, in order, and how many of them were flushed.
struct PendingWrites {
  struct Write {
    var bytes: ByteBuffer
    var promise: EventLoopPromise<Void>?
  }

  private var queue = MarkedCircularBuffer<Write>(initialCapacity: 4)

  var hasFlushed: Bool { queue.hasMark }
  /// Bytes that wait, flushed or not.
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

  /// Takes everything out first: failing a promise may lead to another write.
  mutating func fail(_ error: any Error) {
    let all = queue
    queue = MarkedCircularBuffer(initialCapacity: 4)
    byteCount = 0
    for write in all { write.promise?.fail(error) }
  }
}
