import APNSimWire

/// Reading the journal at one's own pace.
extension Simulator {
  /// The sequence number that the next event gets.
  package var nextSeq: UInt64 { withWorld { $0.history.nextSeq } }

  /// Calls back once when there is something from that sequence number on, at once if there is already; outside the
  /// lock, from whatever thread made it happen.
  /// - Returns: who waits, to be forgotten when nobody does any more; nil when it was there already.
  package func whenJournalReaches(_ seq: UInt64, _ body: @escaping @Sendable () -> Void) -> JournalWatcher? {
    let watcher: JournalWatcher? = withWorld { world in
      guard world.history.nextSeq <= seq else { return nil }
      let watcher = JournalWatcher(seq, body)
      world.feed.add(watcher)
      return watcher
    }
    if watcher == nil { body() }
    return watcher
  }

  /// Does not call back any more, but for a call that is on its way.
  package func forget(_ watcher: JournalWatcher) {
    withWorld { $0.feed.remove(watcher) }
  }

  /// The number of those who wait for the journal to go on.
  package var journalWatcherCount: Int { withWorld { $0.feed.watcherCount } }
}
