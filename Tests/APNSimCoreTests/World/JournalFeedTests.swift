import Testing

@testable import APNSimCore

@Suite struct `The followers of the journal` {
  @Test func `a watcher is told once the journal has its sequence number, and only once`() {
    var feed = JournalFeed()
    let watchers = [3, 5].map { JournalWatcher($0) {} }
    for watcher in watchers { feed.add(watcher) }
    let due = [3, 5, 5].map { feed.takeWatchers(before: $0).map(\.seq) }
    #expect(due == [[], [3], []])
    feed.remove(watchers[1])
    #expect(!feed.isWatched)
  }
}
