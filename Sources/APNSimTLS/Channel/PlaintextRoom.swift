import NIOCore

/// The memory that the connections of one event loop decrypt into, one after the other.
///
/// A connection is done with what a read brought before the next one reads, so that an idle connection needs no buffer
/// of its own. Whoever keeps a part of what was read keeps that buffer, and the room makes another.
package final class PlaintextRoom {
  private var buffer = ByteBuffer()

  package init() {}

  /// An empty buffer, of the size that reads have needed so far.
  func take() -> ByteBuffer {
    var taken = ByteBuffer()
    swap(&taken, &buffer)
    taken.clear()
    return taken
  }

  func giveBack(_ taken: ByteBuffer) { buffer = taken }
}
