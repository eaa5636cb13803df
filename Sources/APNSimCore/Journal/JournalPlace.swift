import DequeModule

/// The place of a reader in the journal. Used under the simulator's lock.
package final class JournalPlace: @unchecked Sendable {
  var next: UInt64
  let query: CompiledQuery?
  /// Stretches that were cleared from the history before the reader had them, oldest first.
  var saved: Deque<Simulator.JournalSlice> = []

  /// Bytes of a stretch, and with that what a reader that stalls costs beside the kernel's buffers.
  package static let sliceBytes = 65_536
  /// The most stretches that are saved for all readers together: 16 MiB.
  static let mostSaved = 256

  init(_ next: UInt64, _ query: CompiledQuery?) { (self.next, self.query) = (next, query) }
}
