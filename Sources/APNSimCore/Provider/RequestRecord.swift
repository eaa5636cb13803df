/// A connection of requests.
final class RequestRecord: ConnectionRecord {
  /// The rules its requests can meet, in order.
  private(set) var rules: [Int] = []
  var counts = ConnectionCounts()
  /// The team and the key that its first good push had.
  var binding = ProviderTokenBinding()
  /// The provider tokens that it changed to.
  var tokenUpdates: ProviderTokenUpdates? = ProviderTokenUpdates()
  /// The answers that wait for their moment, in the order in which the requests came.
  private var waiting: [PendingAnswer] = []
  private var lastExchange: UInt32 = 0
  /// More answers do not wait, of streams that their provider has given up long ago: the oldest makes room.
  private static let mostWaiting = 10_000

  struct PendingAnswer {
    let exchange: UInt32
    let answer: RequestAnswer
    let delay: TimeSpan
    /// The connection's end after it.
    let ending: ConnectionEnding
  }

  /// Keeps an answer until it is due.
  /// - Returns: the number by which it can be taken.
  func put(_ answer: RequestAnswer, delay: TimeSpan, ending: ConnectionEnding = .none) -> UInt32 {
    lastExchange &+= 1
    if waiting.count >= Self.mostWaiting { waiting.removeFirst() }
    waiting.append(PendingAnswer(exchange: lastExchange, answer: answer, delay: delay, ending: ending))
    return lastExchange
  }

  func has(_ exchange: UInt32) -> Bool { waiting.contains { $0.exchange == exchange } }

  func take(_ exchange: UInt32) -> PendingAnswer? {
    waiting.firstIndex { $0.exchange == exchange }.map { waiting.remove(at: $0) }
  }

  /// Takes those that have not left, in order.
  func takeAll() -> [RequestAnswer] {
    defer { waiting = [] }
    return waiting.map(\.answer)
  }

  /// True for a notification whose answer has not left.
  func isWaiting(for notification: UInt64) -> Bool {
    waiting.contains { $0.answer.notification == notification }
  }

  /// Those that have not left.
  var pending: [PendingAnswer] { waiting }

  /// Takes the rules that its requests can meet from now on.
  func take(_ book: RuleBook) {
    rules = book.candidates(.http2, ordinal: ordinal, provider: opening.provider, ofConnection: false)
  }

  /// An answer that has not left yet still will.
  override func beginAnew(app: UInt16, ordinal: UInt32, at now: Timestamp) {
    super.beginAnew(app: app, ordinal: ordinal, at: now)
    counts = ConnectionCounts()
  }
}
