import APNSimWire

/// The facts of a provider's connection, whatever it is to, while it is open and for a while after.
class ConnectionRecord {
  let id: ConnectionID
  let opening: ConnectionOpening
  let openedAt: Timestamp
  let plan: ConnectionPlan
  private(set) var app: UInt16
  /// Its place among the connections of its listener, from 1.
  private(set) var ordinal: UInt32
  /// When something came last.
  var lastActivity: Timestamp
  /// True once the simulator has ended it: it is there only until its provider notices.
  private(set) var isOver = false
  private(set) var closed: Closed?

  /// A connection's last moment.
  struct Closed {
    let at: Timestamp
    /// Nil for one that a new beginning found over.
    let reason: ClosingReason?
  }

  /// The facts of a connection when it opens.
  struct Beginning {
    let id: ConnectionID
    let opening: ConnectionOpening
    let app: UInt16
    let ordinal: UInt32
    let plan: ConnectionPlan
    let time: Timestamp
  }

  init(_ beginning: Beginning) {
    id = beginning.id
    opening = beginning.opening
    openedAt = beginning.time
    lastActivity = beginning.time
    plan = beginning.plan
    app = beginning.app
    ordinal = beginning.ordinal
  }

  final var isOpen: Bool { closed == nil }

  /// The app that the provider's certificate is for.
  final var appKey: AppKey {
    AppKey(topic: opening.provider.topic, environment: opening.provider.environment)
  }

  /// Notes that the simulator ends the connection with what it says now.
  final func conclude() { isOver = true }

  /// Ends the connection: the simulator has nothing more to say on it.
  func end() { conclude() }

  final func close(_ reason: ClosingReason?, at now: Timestamp) { closed = Closed(at: now, reason: reason) }

  /// Lets an open connection go on in a new beginning: what is counted and reported of it begins anew.
  func beginAnew(app: UInt16, ordinal: UInt32, at now: Timestamp) {
    (self.app, self.ordinal, lastActivity) = (app, ordinal, now)
  }
}

/// A connection to the feedback service.
final class FeedbackRecord: ConnectionRecord {
  /// Tuples handed out.
  var tuplesRead: UInt64 = 0

  override func beginAnew(app: UInt16, ordinal: UInt32, at now: Timestamp) {
    super.beginAnew(app: app, ordinal: ordinal, at: now)
    tuplesRead = 0
  }
}

/// A connection to the gateway.
final class GatewayRecord: ConnectionRecord {
  /// The rules its notifications can meet, in order.
  private(set) var rules: [Int] = []
  var counts = ConnectionCounts()
  /// The answers that have not left yet.
  var replies = PendingReplies()
  /// The error response that was sent, when, and for which notification.
  var error: (response: ErrorResponse, at: Timestamp)?
  /// The identifier a shutdown names: that of the last accepted notification that had one.
  var lastAccepted = NotificationIdentifier.none
  var failed: [ProviderReference] = []
  /// The notifications that were written after the error, in order, up to the limit of the resend report.
  private(set) var discarded: [Discard] = []
  /// The number of these that have not come again and are still followed.
  private(set) var awaited = 0
  /// The notifications that had been accepted before the error and were accepted again on a later connection.
  private(set) var duplicated: [NotificationIdentifier] = []
  /// The frame that its provider has begun and not finished.
  let progress = FrameProgress()
  /// The memory of its app's watch.
  var diligence: ConnectionDiligence?

  struct Discard {
    var reference: ProviderReference
    var fate = Fate.notFollowed
  }

  /// Whether a discard has come again.
  enum Fate {
    /// Not yet; its place with the app's resend tracker.
    case awaited(place: UInt64)
    case resent
    /// Others needed its room, and nobody knows.
    case notFollowed
  }

  /// Adds a notification that came after the error.
  func discard(_ reference: ProviderReference) { discarded.append(Discard(reference: reference)) }

  /// Notes that the app's resend tracker follows a discard.
  func awaitDiscard(_ index: Int, place: UInt64) {
    discarded[index].fate = .awaited(place: place)
    awaited += 1
  }

  /// Notes what became of a discard that was awaited.
  func settle(_ index: Int, _ fate: Fate) {
    discarded[index].fate = fate
    awaited -= 1
  }

  /// Notes that one of its accepted notifications was accepted again.
  func noteDuplicate(_ identifier: NotificationIdentifier, most: Int) {
    if duplicated.count < most { duplicated.append(identifier) }
  }

  /// Takes the rules that its notifications can meet from now on.
  func take(_ book: RuleBook) {
    rules = book.candidates(.gateway, ordinal: ordinal, provider: opening.provider, ofConnection: false)
  }

  /// A response that has not left yet will not.
  override func end() {
    super.end()
    replies.removeAll()
  }

  /// A response that has not left yet still will.
  override func beginAnew(app: UInt16, ordinal: UInt32, at now: Timestamp) {
    super.beginAnew(app: app, ordinal: ordinal, at: now)
    counts = ConnectionCounts()
    (failed, discarded, duplicated, awaited, error, lastAccepted) = ([], [], [], 0, nil, .none)
  }
}

extension ConnectionRecord.Closed: Kept {
  func write(to state: inout StateWriter) {
    state.write(at)
    state.write(reason)
  }

  init(reading state: inout StateReader) throws(StateError) {
    at = try state.read()
    reason = try state.read()
  }
}

extension ConnectionRecord.Beginning: Kept {
  func write(to state: inout StateWriter) {
    state.write(id)
    state.write(opening)
    state.write(app)
    state.write(ordinal)
    state.write(plan)
    state.write(time)
  }

  init(reading state: inout StateReader) throws(StateError) {
    id = try state.read()
    opening = try state.read()
    app = try state.read()
    ordinal = try state.read()
    plan = try state.read()
    time = try state.read()
  }
}

extension ConnectionRecord {
  /// Writes what every connection has: how it stands as a beginning, and what is known besides.
  final func writeFacts(to state: inout StateWriter) {
    state.write(
      Beginning(id: id, opening: opening, app: app, ordinal: ordinal, plan: plan, time: openedAt)
    )
    state.write(lastActivity)
    state.write(isOver)
    state.write(closed)
  }

  /// Takes what ``writeFacts(to:)`` writes behind the beginning, with which the record was made.
  final func readFacts(_ state: inout StateReader) throws(StateError) {
    lastActivity = try state.read()
    isOver = try state.read()
    closed = try state.read()
  }
}

extension FeedbackRecord: Kept {
  func write(to state: inout StateWriter) {
    writeFacts(to: &state)
    state.write(tuplesRead)
  }

  convenience init(reading state: inout StateReader) throws(StateError) {
    self.init(try Beginning(reading: &state))
    try readFacts(&state)
    tuplesRead = UInt64(try state.tally())
  }
}

/// A frame that has begun is not written: its connection ends with the program.
extension GatewayRecord: Kept {
  func write(to state: inout StateWriter) {
    writeFacts(to: &state)
    state.write(rules)
    state.write(counts)
    state.write(replies)
    state.write(error != nil)
    if let error {
      state.write(error.response)
      state.write(error.at)
    }
    state.write(lastAccepted)
    state.write(failed)
    state.write(discarded)
    state.write(duplicated)
    state.write(diligence)
  }

  convenience init(reading state: inout StateReader) throws(StateError) {
    self.init(try Beginning(reading: &state))
    try readFacts(&state)
    rules = try state.read()
    counts = try state.read()
    replies = try state.read()
    if try state.read(Bool.self) { error = try (state.read(), state.read()) }
    lastAccepted = try state.read()
    failed = try state.read()
    discarded = try state.read()
    awaited = discarded.count { if case .awaited = $0.fate { true } else { false } }
    duplicated = try state.read()
    diligence = try state.read()
  }
}

extension GatewayRecord.Discard: Kept {
  func write(to state: inout StateWriter) {
    state.write(reference)
    state.write(fate)
  }

  init(reading state: inout StateReader) throws(StateError) {
    reference = try state.read()
    fate = try state.read()
  }
}

extension GatewayRecord.Fate: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .awaited(let place):
      state.write(raw: 0 as UInt8)
      state.write(place)
    case .resent: state.write(raw: 1 as UInt8)
    case .notFollowed: state.write(raw: 2 as UInt8)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = .awaited(place: try state.read())
    case 1: self = .resent
    case 2: self = .notFollowed
    case let tag: throw state.error("a discard's fate was expected, and tag \(tag) found")
    }
  }
}
