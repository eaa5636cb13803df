import APNSimCore
import APNSimServer
public import Testing

extension APNSimulator {
  /// Returns once so many notifications have matched. It counts from the last reset on, so that nothing is missed between
  /// sending and waiting.
  /// - Parameters:
  ///   - query: what they are to be; empty for any.
  ///   - count: how many there are to be.
  ///   - timeout: how long to wait, in real time, at most ten minutes.
  ///   - quiet: the real time in which nothing more may match.
  ///   - advance: how far the clock may be advanced meanwhile: where nothing comes by itself, it goes from one thing that is
  ///     due to the next.
  /// - Returns: those that matched, oldest first: at most a hundred.
  /// - Throws: ``WaitFailure``, which says what came nearest, when they do not come in time; ``TextError`` for a query that
  ///   is not understood.
  @discardableResult
  public func wait(
    for query: Query = "",
    count: Count = 1,
    timeout: Duration = .seconds(5),
    quietFor quiet: Duration? = nil,
    advancing advance: Duration? = nil
  ) async throws -> [Notification] {
    var terms = WaitTerms()
    terms.query = try query.read()
    terms.count = count.test
    terms.timeout = min(TimeSpan(timeout), .minutes(10))
    terms.quietFor = quiet.map { TimeSpan($0) }
    let clock = advance.map { span in Task { await self.clock.advance(slowly: TimeSpan(span)) } }
    let outcome = await WaitRun(simulator, terms, end: ending).run()
    clock?.cancel()
    // From here on the clock is the test's again.
    await clock?.value
    try Task.checkCancellation()
    guard outcome.isSatisfied else {
      throw WaitFailure(outcome, terms, query, stopped: ending.hasFired)
    }
    return outcome.notifications.map { Notification($0) }
  }

  /// Expects so many notifications to match: as ``wait(for:count:timeout:quietFor:advancing:)``, but for what it does in vain. It
  /// records an issue that says what came nearest, and the test goes on.
  /// - Returns: those that matched, oldest first: at most a hundred.
  @discardableResult
  public func expect(
    _ query: Query = "",
    count: Count = 1,
    timeout: Duration = .seconds(5),
    quietFor quiet: Duration? = nil,
    advancing advance: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [Notification] {
    do {
      return try await wait(
        for: query,
        count: count,
        timeout: timeout,
        quietFor: quiet,
        advancing: advance
      )
    } catch let failure as WaitFailure {
      Issue.record(Comment(rawValue: failure.description), sourceLocation: sourceLocation)
      return failure.notifications
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
      return []
    }
  }
}
