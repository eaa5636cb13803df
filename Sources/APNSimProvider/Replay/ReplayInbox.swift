/// The events of a connection that is replayed: its handlers put them in, and whoever plays the capture waits for them, so
/// that nothing arrives twice or out of order.
final class ReplayInbox<Event: Sendable> {
  private enum Item: Sendable {
    case event(Event)
    /// The wait of that number is over.
    case waited(Int)
  }

  private let feed: AsyncStream<Item>.Continuation
  private var items: AsyncStream<Item>.Iterator
  private var waits = 0

  init() {
    let (stream, feed) = AsyncStream.makeStream(of: Item.self)
    (self.feed, items) = (feed, stream.makeAsyncIterator())
  }

  /// Puts events in, from any thread.
  var put: @Sendable (Event) -> Void { { [feed] in feed.yield(.event($0)) } }

  func finish() { feed.finish() }

  /// Takes events until the condition holds or the time is over; without a time, those that have come.
  func hear(_ patience: Duration? = nil, until isEnough: () -> Bool, take: (Event) -> Void) async {
    waits += 1
    let number = waits
    let feed = feed
    let timer = patience.map { patience in
      Task {
        try? await Task.sleep(for: patience)
        feed.yield(.waited(number))
      }
    }
    if timer == nil { feed.yield(.waited(number)) }
    defer { timer?.cancel() }
    while !isEnough(), let item = await items.next() {
      switch item {
      case .event(let event): take(event)
      case .waited(number): return
      case .waited: continue
      }
    }
  }
}
