/// Turns the bytes of a feedback connection into tuples as they arrive, for whoever reads the service.
///
/// It is driven by each tuple's declared token length. Readers that assume 38 bytes fall out of step at the first
/// token of another size and then see dates in 1989.
package struct FeedbackTupleDecoder: Sendable {
  private var pending: [UInt8] = []

  package init() {}

  /// The whole tuples of everything that a connection brought.
  package static func tuples(in bytes: some Sequence<UInt8>) -> [FeedbackTuple] {
    var decoder = FeedbackTupleDecoder()
    return decoder.decode(bytes)
  }

  /// How many bytes of an unfinished tuple are waiting; at the end of the connection, how many were cut off.
  package var pendingByteCount: Int { pending.count }

  /// Takes the next bytes of the stream and returns the tuples they complete.
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
