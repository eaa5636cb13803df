/// Somebody who waits for the journal to reach a sequence number, and is told once.
package final class JournalWatcher: Sendable {
  let seq: UInt64
  let tell: @Sendable () -> Void

  init(_ seq: UInt64, _ tell: @escaping @Sendable () -> Void) {
    self.seq = seq
    self.tell = tell
  }
}
