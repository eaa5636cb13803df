package import APNSimWire

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

  convenience init(_ facts: Facts) {
    self.init(facts.beginning)
    (lastActivity, isOver, closed) = (facts.lastActivity, facts.isOver, facts.closed)
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

/// An error response, and when it was sent.
package struct SentError: Hashable, Sendable {
  package var response: ErrorResponse
  package var at: Timestamp
}

/// A connection to the gateway.
final class GatewayRecord: ConnectionRecord {
  /// The rules its notifications can meet, in order.
  private(set) var rules: [Int] = []
  var counts = ConnectionCounts()
  /// The answers that have not left yet.
  var replies = PendingReplies()
  /// The error response that was sent.
  var error: SentError?
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
  func discard(_ reference: ProviderReference) {
    changeDiscarded { $0.append(Discard(reference: reference)) }
  }

  /// Notes that the app's resend tracker follows a discard.
  func awaitDiscard(_ index: Int, place: UInt64) {
    changeDiscarded { $0[index].fate = .awaited(place: place) }
    awaited += 1
  }

  /// Notes what became of a discard that was awaited.
  func settle(_ index: Int, _ fate: Fate) {
    changeDiscarded { $0[index].fate = fate }
    awaited -= 1
  }

  /// Takes the list out and puts it back: while it was changed in its place, each access to it was checked at run time.
  @inline(__always)
  private func changeDiscarded(_ change: (inout [Discard]) -> Void) {
    var list = discarded
    discarded = []
    change(&list)
    discarded = list
  }

  /// Notes that one of its accepted notifications was accepted again.
  func noteDuplicate(_ identifier: NotificationIdentifier, most: Int) {
    // Taken out and put back, as the discards are.
    var list = duplicated
    guard list.count < most else { return }
    duplicated = []
    list.append(identifier)
    duplicated = list
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

extension ConnectionRecord.Closed: KeptByMembers {
  static let members = Members(Self.init, \.at, \.reason)
}

extension ConnectionRecord.Beginning: KeptByMembers {
  static let members = Members(Self.init, \.id, \.opening, \.app, \.ordinal, \.plan, \.time)
}

extension ConnectionRecord {
  /// The members that every connection has: how it began, and how it stands.
  struct Facts {
    let beginning: Beginning
    let lastActivity: Timestamp
    let isOver: Bool
    let closed: Closed?
  }

  final var facts: Facts {
    Facts(
      beginning: Beginning(
        id: id,
        opening: opening,
        app: app,
        ordinal: ordinal,
        plan: plan,
        time: openedAt
      ),
      lastActivity: lastActivity,
      isOver: isOver,
      closed: closed
    )
  }
}

extension ConnectionRecord.Facts: KeptByMembers {
  static let members = Members(Self.init, \.beginning, \.lastActivity, \.isOver, \.closed)
}

extension FeedbackRecord: KeptByMembers {
  static let members = Members(
    beginning: FeedbackRecord.init,
    \.facts,
    then: Place({ $0.tuplesRead }, { $0.tuplesRead = $1 })
  )

  func complete(_ state: StateReader) throws(StateError) { try state.expectTallies(tuplesRead) }
}

/// A frame that has begun is not written: its connection ends with the program.
extension GatewayRecord: KeptByMembers {
  static let members = Members(
    beginning: GatewayRecord.init,
    \.facts,
    then: Place({ $0.rules }, { $0.rules = $1 }),
    Place({ $0.counts }, { $0.counts = $1 }),
    Place({ $0.replies }, { $0.replies = $1 }),
    Place({ $0.error }, { $0.error = $1 }),
    Place({ $0.lastAccepted }, { $0.lastAccepted = $1 }),
    Place({ $0.failed }, { $0.failed = $1 }),
    Place({ $0.discarded }, { $0.discarded = $1 }),
    Place({ $0.duplicated }, { $0.duplicated = $1 }),
    Place({ $0.diligence }, { $0.diligence = $1 })
  )

  func complete(_ state: StateReader) {
    awaited = discarded.count { if case .awaited = $0.fate { true } else { false } }
  }
}

extension SentError: KeptByMembers {
  static let members = Members(Self.init, \.response, \.at)
}

extension GatewayRecord.Discard: KeptByMembers {
  static let members = Members(Self.init, \.reference, \.fate)
}

extension GatewayRecord.Fate: KeptByCases {
  enum Tag: UInt8, CaseIterable { case awaited, resent, notFollowed }

  func write(to state: inout StateWriter) {
    switch self {
    case .awaited(let place): state.write(Tag.awaited, place)
    case .resent: state.write(Tag.resent)
    case .notFollowed: state.write(Tag.notFollowed)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .awaited: try state.read(Self.awaited)
      case .resent: .resent
      case .notFollowed: .notFollowed
      }
  }
}
