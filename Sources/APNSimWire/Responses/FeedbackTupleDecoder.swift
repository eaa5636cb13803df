/// Decodes the bytes of a feedback connection into tuples as they arrive.
///
/// Each tuple's declared token length decides where the next begins. Readers that assume 38 bytes lose the boundary
/// at the first token of another size and then see dates in 1989.
package struct FeedbackTupleDecoder: Sendable {
  private var pending: [UInt8] = []

  package init() {}

  /// Decodes all bytes of a connection at once; an incomplete tuple at the end is dropped.
  package static func tuples(in bytes: some Sequence<UInt8>) -> [FeedbackTuple] {
    var decoder = FeedbackTupleDecoder()
    return decoder.decode(bytes)
  }

  /// The number of bytes kept of an incomplete tuple; at the end of the connection, the number that were cut off.
  package var pendingByteCount: Int { pending.count }

  /// Decodes the next bytes of the stream and returns the tuples they complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [FeedbackTuple] {
    pending.append(contentsOf: bytes)
    var tuples: [FeedbackTuple] = []
    let consumed = pending.withUnsafeBytes { buffer in
      var offset = 0
      while let next = FeedbackTuple.decode(buffer, from: offset) {
        tuples.append(next.tuple)
        offset = next.end
      }
      return offset
    }
    pending.removeFirst(consumed)
    return tuples
  }
}
