internal import APNSimWire

/// What the simulator remembers of a connection while it is open and for a while after.
final class ConnectionRecord {
  let id: ConnectionID
  let listener: Listener
  let opening: ConnectionOpening
  let openedAt: Timestamp
  private(set) var app: UInt16
  /// Its place among the connections of its listener, from 1.
  private(set) var ordinal: UInt32
  let plan: ConnectionPlan
  /// The rules its notifications can meet, in order.
  private(set) var rules: [Int]
  var counts = ConnectionCounts()
  /// The answers that have not left yet.
  var replies = PendingReplies()
  /// When something came last.
  var lastActivity: Timestamp
  var closedAt: Timestamp?
  var closing: ClosingReason?
  /// The error response that was sent, when, and for which notification.
  var error: (response: ErrorResponse, at: Timestamp)?
  /// The identifier a shutdown names: that of the last accepted notification that had one.
  var lastAccepted = NotificationIdentifier.none
  /// Whether the simulator has ended it: it is there only until its provider notices.
  var isOver = false
  var failed: [ProviderReference] = []
  /// What was written after the error, in order, up to the limit of the resend report.
  var discarded: [Discard] = []
  /// How many of these have not come again and are still followed.
  var awaited = 0
  /// Tuples handed out, on a feedback connection.
  var tuplesRead: UInt64 = 0
  /// What its app's watch remembers of it; nil for a connection that is not to the gateway.
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

  init(
    id: ConnectionID,
    listener: Listener,
    opening: ConnectionOpening,
    app: UInt16,
    ordinal: UInt32,
    plan: ConnectionPlan,
    rules: [Int],
    at now: Timestamp
  ) {
    self.id = id
    self.ordinal = ordinal
    self.plan = plan
    self.rules = rules
    lastActivity = now
    self.listener = listener
    self.opening = opening
    self.app = app
    openedAt = now
  }

  /// The rules have changed.
  func meet(_ book: RuleBook) {
    rules = book.candidates(listener, ordinal: ordinal, provider: opening.provider, ofConnection: false)
  }

  /// Everything else has begun anew, and the connection goes on in it: what is counted and reported of it begins
  /// anew as well. A response that has not left yet still will.
  func beginAnew(app: UInt16, ordinal: UInt32, at now: Timestamp) {
    (self.app, self.ordinal) = (app, ordinal)
    lastActivity = now
    counts = ConnectionCounts()
    (failed, discarded, awaited, error, lastAccepted, tuplesRead) = ([], [], 0, nil, .none, 0)
  }

  /// The simulator has ended it, and a response that has not left yet will not.
  func end() {
    isOver = true
    replies.removeAll()
  }

  /// Whether any rule could concern its notifications.
  var isScripted: Bool { !rules.isEmpty }

  var isOpen: Bool { closedAt == nil }
}
