import APNSimCore

/// Reads pages of the history, in stretches between which others have their turn.
struct NotificationPage: Sendable {
  let simulator: Simulator
  /// At most so many on a page.
  let limit: Int
  let query: CompiledQuery?
  /// False once nobody waits for the page: it ends early then.
  let isWanted: @Sendable () -> Bool

  /// Notifications, and the number from which the next page goes on; nil where there is none.
  typealias Found = (views: [NotificationView], next: UInt64?)

  /// The oldest ones after a number.
  func oldest(after number: UInt64) async -> Found {
    var views: [NotificationView] = []
    var from = number &+ 1
    while true {
      let slice = simulator.notifications(from: from, limit: limit - views.count, matching: query)
      views += slice.views
      from = slice.next
      if slice.isLast { return (views, nil) }
      if views.count >= limit || !isWanted() { return (views, from - 1) }
      await Task.yield()
    }
  }

  /// The newest ones before a number.
  func newest(before number: UInt64) async -> Found {
    var views: [NotificationView] = []
    var before = number
    while true {
      let slice = simulator.notifications(before: before, limit: limit - views.count, matching: query)
      views += slice.views
      before = slice.next
      if slice.isLast { return (views, nil) }
      if views.count >= limit || !isWanted() { return (views, before) }
      await Task.yield()
    }
  }

  /// Counts those that match into slices of time.
  func bars(_ empty: HistoryBars) async -> HistoryBars {
    var bars = empty
    let numbers = simulator.numbers
    var next = numbers.lowerBound
    while next < numbers.upperBound, isWanted() {
      next = simulator.count(next..<numbers.upperBound, matching: query, into: &bars)
      await Task.yield()
    }
    simulator.noteChanges(in: &bars)
    return bars
  }

  /// The number of notifications in the history that match, and of all.
  func counts() async -> (matched: Int, kept: Int) {
    let numbers = simulator.numbers
    guard let query else { return (numbers.count, numbers.count) }
    var (matched, next) = (0, numbers.lowerBound)
    while next < numbers.upperBound, isWanted() {
      let stretch = simulator.matches(among: next..<numbers.upperBound, query)
      matched += stretch.count
      next = stretch.next
      await Task.yield()
    }
    return (matched, numbers.count)
  }
}
