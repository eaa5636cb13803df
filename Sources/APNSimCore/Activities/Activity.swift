package import APNSimWire

/// A Live Activity on a device.
package struct Activity {
  /// `a7`: no two activities of a simulator have the same.
  let number: UInt64
  var device: UInt32
  /// The registration by which it was started, or to whose app it belongs.
  var registration: UInt32
  let app: AppKey
  /// The name of its attributes' type; nil where it was met by a push to its own token.
  var type: String?
  /// As JSON.
  var attributes: [UInt8] = []
  var contentState: [UInt8] = []
  /// The token that it is updated by.
  var token: [UInt8]?
  /// The channel that it is updated by, with its identifier.
  var channel: FollowedChannel?
  let started: Timestamp
  var updated: Timestamp
  /// The `timestamp` of the last push that counted.
  var timestamp: Int64 = .min
  var updates: UInt64 = 0
  var staleDate: Timestamp?
  var relevanceScore: String?
  /// The last alert that was shown with it.
  var alert: String?
  /// When it was ended by a push, and when it leaves the screen then.
  var ended: Timestamp?
  var dismissal: Timestamp?

  struct FollowedChannel {
    let place: UInt32
    let id: String
  }

  /// The longest that it is active, and that it stays on the screen afterwards (DOC).
  static let lifetime = TimeSpan.hours(8)
  static let afterlife = TimeSpan.hours(4)

  /// Its place in what a person sees.
  package enum State: String, JSONWord {
    case active, stale, ended, dismissed
  }

  /// When it is over: ended by a push, or by the system at the end of its life.
  var over: Timestamp { ended ?? started + Self.lifetime }

  /// When it leaves the screen.
  var gone: Timestamp {
    guard ended == nil else { return dismissal ?? over + Self.afterlife }
    return over + Self.afterlife
  }

  func state(at now: Timestamp) -> State {
    if now >= gone { return .dismissed }
    if now >= over { return .ended }
    if let staleDate, now >= staleDate { return .stale }
    return .active
  }

  /// About as many bytes as it takes.
  var byteCount: Int { 256 + attributes.count + contentState.count }
}

/// A Live Activity as people and programs look at it.
package struct ActivityView: Hashable, Sendable {
  package var id: String
  package var app: AppKey
  package var type: String?
  package var state: Activity.State
  package var attributes: [UInt8]
  package var contentState: [UInt8]
  package var token: [UInt8]?
  package var channel: String?
  package var started: Timestamp
  package var updated: Timestamp
  package var timestamp: Int64?
  package var updates: UInt64
  package var staleDate: Timestamp?
  package var endsAt: Timestamp
  package var dismissedAt: Timestamp
  package var relevanceScore: String?
  package var alert: String?

  init(_ activity: Activity, at now: Timestamp) {
    id = "a\(activity.number)"
    app = activity.app
    type = activity.type
    state = activity.state(at: now)
    attributes = activity.attributes
    contentState = activity.contentState
    token = activity.token
    channel = activity.channel?.id
    started = activity.started
    updated = activity.updated
    timestamp = activity.timestamp == .min ? nil : activity.timestamp
    updates = activity.updates
    staleDate = activity.staleDate
    endsAt = activity.over
    dismissedAt = activity.gone
    relevanceScore = activity.relevanceScore
    alert = activity.alert
  }
}

extension ActivityView: JSONObject {
  package static let shape = JSONShape<Self>("Activity", "A Live Activity on a device.") {
    $0.member("id", "Its number.", .pattern("^a[0-9]+$")) { $0.id }
    $0.members { $0.app }
    $0.member("attributesType", "Null if the simulator met it by a push to its own token.") { $0.type }
    $0.member("state", "Ended: it is over and still on the screen. Dismissed: it is not.") { $0.state }
    $0.member("attributes", "Null where none are known.", schema: .type("object").orNull) {
      $1.rawOrNull($0.attributes)
    }
    $0.member("contentState", "Null where none is known.", schema: .type("object").orNull) {
      $1.rawOrNull($0.contentState)
    }
    $0.member("token", "The token that updates it, in hex digits.") { $0.token.map { HexText($0) } }
    $0.member("channel", "The channel that updates it.") { $0.channel }
    $0.member("startedAt") { $0.started }
    $0.member("updatedAt") { $0.updated }
    $0.member("timestamp", "That of the last push that counted.") { $0.timestamp }
    $0.member("updates", "Pushes that changed it.") { $0.updates }
    $0.member("staleDate") { $0.staleDate }
    $0.member("endsAt", "When it is, or was, over.") { $0.endsAt }
    $0.member("dismissedAt", "When it leaves the screen.") { $0.dismissedAt }
    $0.member("relevanceScore") { $0.relevanceScore.map { NumberText($0) } }
    $0.member("alert", "The last alert that was shown with it.") { $0.alert }
  }
}

extension JSONWriter {
  /// Writes bytes that are JSON; null for none.
  fileprivate mutating func rawOrNull(_ json: [UInt8]) {
    if json.isEmpty { null() } else { raw(json) }
  }
}

/// A push of the type `liveactivity` that showed nothing, and why.
package struct IgnoredPush: Hashable, Sendable {
  package var notification: UInt64
  package var time: Timestamp
  package var reason: String
}

extension IgnoredPush: JSONObject {
  package static let shape = JSONShape<Self>(
    "IgnoredPush",
    "A push of the type liveactivity that was answered 200 and showed nothing."
  ) {
    $0.member("notification", "The number of the push.") { NotificationNumber($0.notification) }
    $0.member("time") { $0.time }
    $0.member("reason") { $0.reason }
  }
}

extension Activity: KeptByMembers {
  static let members = Members(
    Self.init,
    \.number,
    \.device,
    \.registration,
    \.app,
    \.type,
    \.attributes,
    \.contentState,
    \.token,
    \.channel,
    \.started,
    \.updated,
    \.timestamp,
    \.updates,
    \.staleDate,
    \.relevanceScore,
    \.alert,
    \.ended,
    \.dismissal
  )

  func complete(_ state: StateReader) throws(StateError) { try state.expectCounted(number, updates) }
}

extension Activity.FollowedChannel: KeptByMembers {
  static let members = Members(Self.init, \.place, \.id)
}

extension IgnoredPush: KeptByMembers {
  static let members = Members(Self.init, \.notification, \.time, \.reason)
}
