import APNSimWire

/// A connection of requests.
final class RequestRecord: ConnectionRecord {
  /// The rules its requests can meet, in order.
  private(set) var rules: [Int] = []
  var counts = ConnectionCounts()
  /// The team and the key that its first good push had.
  var binding = ProviderTokenBinding()
  /// The provider tokens that it changed to.
  var tokenUpdates: ProviderTokenUpdates? = ProviderTokenUpdates()
  /// The app of its last request; nil before it.
  var lastApp: UInt16?
  /// The malformed requests, which never became some. The book of connections keeps them.
  var malformed = MalformedRequests()
  /// The findings about the push before, in the read at hand.
  var latest: LatestPush?
  /// True once every request is answered 500 until the provider reconnects.
  var isBroken = false
  /// The greatest stream that a request came on.
  private(set) var lastStream: UInt32 = 0
  /// The notice that the service ends the connection.
  private(set) var goAway: GoAway?
  /// The requests whose answer was lost and that were accepted again.
  private(set) var duplicated: [UInt64] = []
  /// The rest that a GOAWAY has left of it; nil before one.
  var departure: Departure?
  /// True while one stream at a time is allowed, after a rejection.
  var isThrottled = false
  /// Its end as it opened, by such a fault.
  var openingEnding = ConnectionEnding.none
  /// True once the listener reads no more.
  var isDeaf = false
  /// The fault that strikes after so many requests or bytes.
  var strike: StreamStrike?
  /// The requests that got no answer: those that never will, and at the connection's end those that waited for one.
  private(set) var unanswered: [Unanswered] = []
  /// Their notifications.
  private(set) var unansweredNumbers: Set<UInt64> = []
  /// The answers that wait for their moment, in the order in which the requests came.
  private var waiting: [PendingAnswer] = []
  private var lastExchange: UInt32 = 0
  /// More answers do not wait, of streams that their provider has given up long ago: the oldest makes room.
  private static let mostWaiting = 10_000

  struct PendingAnswer {
    let exchange: UInt32
    let answer: RequestAnswer
    let delay: TimeSpan
    /// The time from its headers to its body; nil where it leaves whole.
    let bodyDelay: TimeSpan?
    /// The connection's end after it.
    let ending: ConnectionEnding
    /// Its request is among those that are counted: it came after the last reset.
    var isCounted = true
  }

  /// The findings about a push that those after it share, because they have the same provider token and topic.
  struct LatestPush: BitwiseCopyable {
    /// The places of the token and the topic in the read's batch.
    let authorization: Int32
    let topic: Int32
    let app: UInt16
    /// The reasons for which they are refused.
    let tokenRefusal: Reason?
    let topicRefusal: Reason?
  }

  /// The state of a connection after a GOAWAY that a fault has sent.
  struct Departure {
    /// The last stream that is answered; what comes above it is discarded.
    let lastAnswered: UInt32
    /// True where streams above it are refused, and not just left open.
    let refuses: Bool
    /// True where the connection ends with the last answer.
    let closes: Bool

    static let nothingIsAnswered = Departure(lastAnswered: 0, refuses: false, closes: false)
  }

  /// Counts a notification by what became of it when it came in.
  func count(_ entry: Outcome) {
    counts.received += 1
    switch entry {
    case .rejected: counts.rejected += 1
    case .discarded: counts.discarded += 1
    default: counts.accepted += 1
    }
  }

  struct Unanswered {
    let notification: UInt64
    let stream: UInt32
    /// It reached its device or the store: sent again, it comes twice.
    let isAccepted: Bool
    /// The app whose resend tracker follows it.
    var app: UInt16 = 0
    var fate = GatewayRecord.Fate.notFollowed
  }

  /// A GOAWAY that was sent.
  struct GoAway {
    /// Requests on greater streams are not processed, and can be sent again (RFC 9113, section 6.8).
    let lastStream: UInt32
    let at: Timestamp
  }

  func noteRequest(on stream: UInt32) { lastStream = max(lastStream, stream) }

  /// Notes a GOAWAY. A later one may lower the last stream, and never raises it.
  func noteGoAway(lastStream: UInt32, at now: Timestamp) {
    goAway = GoAway(lastStream: min(lastStream, goAway?.lastStream ?? lastStream), at: goAway?.at ?? now)
  }

  func noteDuplicate(_ notification: UInt64, most: Int) {
    if duplicated.count < most { duplicated.append(notification) }
  }

  func leaveUnanswered(_ request: Unanswered) {
    unanswered.append(request)
    unansweredNumbers.insert(request.notification)
  }

  /// Notes that an app's resend tracker follows a request that got no answer.
  func follow(_ index: Int, place: UInt64, app: UInt16) {
    unanswered[index].fate = .awaited(place: place)
    unanswered[index].app = app
  }

  /// Notes whether a request that got no answer has come again.
  func settle(_ index: Int, _ fate: GatewayRecord.Fate) { unanswered[index].fate = fate }

  /// Gives up the answers that have not left.
  func dropAnswers() { waiting = [] }

  /// Gives up the answers on streams above one.
  /// - Returns: those, in order.
  func dropAnswers(above stream: UInt32) -> [PendingAnswer] {
    let dropped = waiting.filter { $0.answer.stream > stream }
    if !dropped.isEmpty { waiting.removeAll { $0.answer.stream > stream } }
    return dropped
  }

  /// Gives up the answer on a stream.
  /// - Returns: it, if it had not left.
  func dropAnswer(on stream: UInt32) -> PendingAnswer? {
    waiting.firstIndex { $0.answer.stream == stream }.map { waiting.remove(at: $0) }
  }

  /// The notification of a request on a stream that never gets an answer; nil where there is none.
  func unanswered(_ stream: UInt32) -> UInt64? { unanswered.first { $0.stream == stream }?.notification }

  /// Keeps an answer until it is due.
  /// - Parameter isCounted: false for the rest of one that was counted with its beginning.
  /// - Returns: the number by which it can be taken.
  func put(
    _ answer: RequestAnswer,
    delay: TimeSpan,
    bodyDelay: TimeSpan? = nil,
    ending: ConnectionEnding = .none,
    isCounted: Bool = true
  ) -> UInt32 {
    lastExchange &+= 1
    waiting.append(
      PendingAnswer(
        exchange: lastExchange,
        answer: answer,
        delay: delay,
        bodyDelay: bodyDelay,
        ending: ending,
        isCounted: isCounted
      )
    )
    return lastExchange
  }

  /// Takes the answer that has waited longest, where there is no room for another.
  func makeRoom() -> PendingAnswer? { waiting.count < Self.mostWaiting ? nil : waiting.removeFirst() }

  func has(_ exchange: UInt32) -> Bool { waiting.contains { $0.exchange == exchange } }

  func take(_ exchange: UInt32) -> PendingAnswer? {
    waiting.firstIndex { $0.exchange == exchange }.map { waiting.remove(at: $0) }
  }

  /// Takes those that have not left, in order.
  func takeAll() -> [PendingAnswer] {
    defer { waiting = [] }
    return waiting
  }

  /// True for a notification whose answer has not left, or never will.
  func isWithoutAnswer(_ notification: UInt64) -> Bool {
    unansweredNumbers.contains(notification) || waiting.contains { $0.answer.notification == notification }
  }

  /// The answers that have not left.
  var pending: [PendingAnswer] { waiting }

  /// Takes the rules that its requests can meet from now on.
  func take(_ book: RuleBook) {
    rules = book.candidates(.http2, ordinal: ordinal, provider: opening.provider, ofConnection: false)
  }

  /// An answer that has not left yet still will.
  override func beginAnew(app: UInt16, ordinal: UInt32, at now: Timestamp) {
    super.beginAnew(app: app, ordinal: ordinal, at: now)
    (counts, malformed) = (ConnectionCounts(), MalformedRequests())
    (lastApp, unanswered, unansweredNumbers, duplicated) = (nil, [], [], [])
    for place in waiting.indices { waiting[place].isCounted = false }
  }
}

extension RequestRecord: KeptByMembers {
  static let members = Members(
    beginning: RequestRecord.init,
    \.facts,
    then: Place({ $0.rules }, { $0.rules = $1 }),
    Place({ $0.counts }, { $0.counts = $1 }),
    Place({ $0.binding }, { $0.binding = $1 }),
    Place({ $0.tokenUpdates }, { $0.tokenUpdates = $1 }),
    Place({ $0.lastApp }, { $0.lastApp = $1 }),
    Place({ $0.isBroken }, { $0.isBroken = $1 }),
    Place({ $0.lastStream }, { $0.lastStream = $1 }),
    Place({ $0.goAway }, { $0.goAway = $1 }),
    Place({ $0.duplicated }, { $0.duplicated = $1 }),
    Place({ $0.departure }, { $0.departure = $1 }),
    Place({ $0.isThrottled }, { $0.isThrottled = $1 }),
    Place({ $0.openingEnding }, { $0.openingEnding = $1 }),
    Place({ $0.isDeaf }, { $0.isDeaf = $1 }),
    Place({ $0.strike }, { $0.strike = $1 }),
    Place({ $0.unanswered }, { $0.unanswered = $1 }),
    Place({ $0.waiting }, { $0.waiting = $1 }),
    Place({ $0.lastExchange }, { $0.lastExchange = $1 })
  )

  func complete(_ state: StateReader) { unansweredNumbers = Set(unanswered.map(\.notification)) }
}

extension RequestRecord.PendingAnswer: KeptByMembers {
  static let members = Members(Self.init, \.exchange, \.answer, \.delay, \.bodyDelay, \.ending, \.isCounted)
}

extension RequestRecord.Departure: KeptByMembers {
  static let members = Members(Self.init, \.lastAnswered, \.refuses, \.closes)
}

extension RequestRecord.Unanswered: KeptByMembers {
  static let members = Members(Self.init, \.notification, \.stream, \.isAccepted, \.app, \.fate)
}

extension RequestRecord.GoAway: KeptByMembers {
  static let members = Members(Self.init, \.lastStream, \.at)
}
