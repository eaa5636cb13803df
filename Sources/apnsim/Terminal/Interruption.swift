import UnixSignals

/// Lets Ctrl-C end a command properly: its work is cancelled, and what comes after it still happens.
enum Interruption {
  /// Runs until the work is done, or a signal or `limit` ends it.
  /// - Returns: the work's result; nil when it was ended.
  static func race<Result: Sendable>(
    limit: Duration? = nil,
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        for await _ in signals { return nil }
        return nil
      }
      if let limit {
        group.addTask {
          try? await Task.sleep(for: limit)
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
}
