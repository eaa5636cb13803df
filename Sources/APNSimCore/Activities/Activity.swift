package import APNSimWire

/// A Live Activity on a device.
struct Activity {
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
  enum State: String {
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
  package var state: String
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
    state = activity.state(at: now).rawValue
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

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    app.writeMembers(to: &writer)
    writer.member("attributesType", type)
    writer.member("state", state)
    writer.key("attributes")
    if attributes.isEmpty { writer.null() } else { writer.raw(attributes) }
    writer.key("contentState")
    if contentState.isEmpty { writer.null() } else { writer.raw(contentState) }
    writer.key("token")
    if let token { writer.hex(token) } else { writer.null() }
    writer.member("channel", channel)
    writer.member("startedAt", started.description)
    writer.member("updatedAt", updated.description)
    writer.key("timestamp")
    if let timestamp { writer.int(timestamp) } else { writer.null() }
    writer.member("updates", updates)
    writer.member("staleDate", staleDate?.description)
    writer.member("endsAt", endsAt.description)
    writer.member("dismissedAt", dismissedAt.description)
    writer.key("relevanceScore")
    if let relevanceScore { writer.raw(Array(relevanceScore.utf8)) } else { writer.null() }
    writer.member("alert", alert)
  }
}

/// A push of the type `liveactivity` that showed nothing, and why.
package struct IgnoredPush: Hashable, Sendable {
  package var notification: UInt64
  package var time: Timestamp
  package var reason: String

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("notification", "n\(notification)")
    writer.member("time", time.description)
    writer.member("reason", reason)
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
