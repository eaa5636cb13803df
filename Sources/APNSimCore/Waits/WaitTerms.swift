/// The terms of a wait: the notifications that count, how many are wanted, and how long that may take.
package struct WaitTerms: Hashable, Sendable {
  package var query = Query()
  package var count = CountTest(atLeast: 1)
  /// In real time.
  package var timeout = TimeSpan.seconds(5)
  /// The real time in which nothing may match any more; nil if that is not required.
  package var quietFor: TimeSpan?
  package var since = Simulator.WaitStart.reset

  package init() {}

  /// The expectation in words: `at least 1, then quiet for 200ms`.
  package var expectation: String {
    "\(count)" + (quietFor.map { ", then quiet for \($0)" } ?? "")
  }
}

extension Simulator {
  /// The point from which a wait counts.
  package enum WaitStart: Hashable, Sendable {
    /// At the last reset, as far as the history reaches.
    case reset
    /// After this notification.
    case after(UInt64)
    /// At what comes from now on.
    case now
  }
}
