import APNSimCore
import APNSimServer

extension Simulator {
  /// Waits until the journal reaches a sequence number or a signal fires; false when it is time for a heartbeat.
  func hasMore(from seq: UInt64, until ending: EndSignal) async -> Bool {
    let (signals, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let watcher = whenJournalReaches(seq) { continuation.yield(true) }
    defer { if let watcher { forget(watcher) } }
    let token = ending.whenFired { continuation.yield(true) }
    defer { ending.forget(token) }
    let timer = Task {
      try await Task.sleep(for: Self.heartbeat)
      continuation.yield(false)
    }
    defer { timer.cancel() }
    var iterator = signals.makeAsyncIterator()
    return await iterator.next() ?? true
  }

  /// The interval at which a quiet connection gets a comment, so that intermediaries keep it open.
  private static var heartbeat: Duration { .seconds(15) }
}
