import APNSimSystem
import APNSimTLS
import Synchronization
import UnixSignals

/// Turns Ctrl-C into a proper end of a command: its work is cancelled, and what comes after it still happens.
enum Interruption {
  /// True once the command is to end: a signal has come since the first race began, or its time is over.
  static var hasCome: Bool { come.load(ordering: .relaxed) }

  private static let come = Atomic<Bool>(false)

  /// Marks the command as ending: whoever writes its results no longer waits for a reader.
  static func begin() { come.store(true, ordering: .relaxed) }

  /// Sees signals also after the end of a race whose work goes on.
  private static let watch = Task.detached {
    for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
      begin()
    }
  }

  /// Runs until the work is done, or a signal or `limit` ends it.
  /// - Parameter needsReader: whoever read its results has gone: that ends it, too.
  /// - Returns: the work's result; nil when it was ended.
  static func race<Result: Sendable>(
    limit: Duration? = nil,
    needsReader: Bool = false,
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    _ = watch
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        for await _ in signals { return nil }
        return nil
      }
      if let limit {
        group.addTask {
          try? await Task.sleep(for: limit)
          if !Task.isCancelled { begin() }
          return nil
        }
      }
      if needsReader {
        group.addTask {
          await Output.untilUnread()
          return nil
        }
      }
      group.addTask {
        do {
          return try await work()
        } catch is CancellationError {
          return nil
        }
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  /// Does work that nothing can cancel: a signal takes the draft of its result away and ends the process, as it would
  /// have by itself.
  static func discarding<Result>(
    _ place: FileReplacement?,
    _ work: () throws -> Result
  ) async rethrows -> Result {
    guard let place else { return try work() }
    // Under nohup, SIGHUP stays ignored.
    let hangup: [UnixSignal] = Signals.isIgnored(UnixSignal.sighup.rawValue) ? [] : [.sighup]
    let signals = await UnixSignalsSequence(trapping: [.sigint, .sigterm] + hangup)
    let watch = Task.detached {
      for await come in signals {
        place.discard()
        FirstProcess.end(by: come.rawValue)
      }
    }
    defer { watch.cancel() }
    return try work()
  }
}
