import APNSimWire

/// Live Activities: what devices make of pushes, and what apps start by themselves.
extension World {
  /// The origin of a push: a token of an activity, an app's token to start one with, or a channel.
  enum ActivityRoute {
    case activity(UInt64)
    /// The token of the registration itself.
    case app
    case channel(UInt32)
  }

  /// A device that is online got a push of the type `liveactivity`.
  mutating func showActivity(
    _ payload: UnsafeRawBufferPointer,
    _ notification: UInt64,
    on registration: UInt32,
    by route: ActivityRoute
  ) {
    guard let push = ActivityPush(payload) else {
      return ignore(notification, on: registration, "the payload has no dictionary aps")
    }
    switch route {
    case .activity(let number):
      guard let activity = activities[number] else {
        return ignore(notification, on: registration, "the activity is not on the device any more")
      }
      apply(push, notification, to: activity, isQuiet: false)
    case .channel(let place):
      let device = devices.registrations[registration].device
      for activity in activities.activities(of: device, on: place) {
        apply(push, notification, to: activity, isQuiet: true)
      }
    case .app:
      switch push.event {
      case .start: start(push, notification, on: registration)
      case .update, .end: meet(push, notification, on: registration)
      case nil: ignore(notification, on: registration, "the event is none of start, update and end")
      }
    }
  }

  // MARK: Start

  /// An activity that starts now, of which nothing has been said yet.
  private func activity(of app: AppKey, on registration: UInt32) -> Activity {
    Activity(
      number: activities.nextNumber,
      device: devices.registrations[registration].device,
      registration: registration,
      app: app,
      started: now,
      updated: now
    )
  }

  private mutating func start(_ push: ActivityPush, _ notification: UInt64, on registration: UInt32) {
    let known = devices.registrations[registration]
    let app = bundle(of: known.app)
    if let reason = defect(ofStart: push, app: app) { return ignore(notification, on: registration, reason) }
    guard activities.hasRoom else {
      return ignore(notification, on: registration, "no more activities are kept")
    }
    let place = push.channel.flatMap { channels.place(of: ChannelKey(app: app, id: $0)) }
    if let id = push.channel, place == nil, configuration.rules.have(.activityWithoutChannel) {
      return ignore(notification, on: registration, "input-push-channel \(id) is no channel of the app")
    }
    var activity = activity(of: app, on: registration)
    activity.type = push.attributesType
    activity.attributes = push.attributes?.text ?? []
    note(push, on: &activity)
    var missing: String?
    if let id = push.channel {
      if let place, follow(place, by: registration) {
        activity.channel = Activity.FollowedChannel(place: place, id: id)
      } else {
        missing = id
      }
    }
    if push.wantsToken { activity.token = makeActivityToken() }
    begin(activity, notification)
    guard let missing else { return }
    ignore(
      notification,
      on: registration,
      "input-push-channel \(missing) is no channel of the app: it started without"
    )
  }

  /// The reason why a push starts nothing; nil where it does.
  private func defect(ofStart push: ActivityPush, app: AppKey) -> String? {
    guard push.timestamp != nil else { return "timestamp is missing, or no number of seconds" }
    guard push.alert != nil else { return "a start needs an alert" }
    guard let type = push.attributesType else { return "attributes-type is missing" }
    guard let attributes = push.attributes else { return "attributes is missing, or no dictionary" }
    guard let state = push.contentState else { return "content-state is missing, or no dictionary" }
    return undecodable(state, attributes, type: type, app: app)
  }

  /// The reason why an app could not decode what a push says; nil where it could, or where nothing is said of its type.
  private func undecodable(_ state: JSONValue?, _ attributes: JSONValue?, type: String?, app: AppKey)
    -> String?
  {
    guard let types = setup.scenario.activityTypes[app.topic], let type else { return nil }
    guard let schema = types[type] else { return "the app has no attributes-type \(type)" }
    let found =
      state.flatMap { ActivitySchema.defect(of: $0, schema.contentState, "content-state") }
      ?? attributes.flatMap { ActivitySchema.defect(of: $0, schema.attributes, "attributes") }
    return found.map { "would not decode: \($0)" }
  }

  private mutating func begin(_ activity: Activity, _ notification: UInt64) {
    activities.add(activity, at: now)
    if activity.channel != nil { schedule(.endActivity(activity.number), at: activity.over) }
    emit(
      .activity(
        .started(
          activity.number,
          device: devices.name(of: activity.device),
          activity.app,
          type: activity.type,
          notification: notification,
          token: activity.token,
          channel: activity.channel?.id
        )
      )
    )
  }

  /// Subscribes a registration to a channel for an activity.
  /// - Returns: false where there is no room.
  private mutating func follow(_ place: UInt32, by registration: UInt32) -> Bool {
    guard let key = channels[place]?.key else { return false }
    guard !channels.places(subscribedBy: registration).hasInOrder(place) else { return true }
    guard channels.hasRoom(forSubscriptionOf: registration) else { return false }
    _ = channels.subscribe(registration, to: place)
    emit(.channel(.subscribed(key.app, id: key.id, device: devices.ownerName(of: registration))))
    return true
  }

  /// A token of an activity: 80 bytes, as the service has them (OBS).
  private mutating func makeActivityToken() -> [UInt8] {
    (0..<10).flatMap { _ in
      let word = random.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }

  // MARK: Update and end

  /// An update by a token that is the app's: where the token was made on first sight, it is an activity's that nobody
  /// has seen the beginning of; a token that starts activities updates none.
  private mutating func meet(_ push: ActivityPush, _ notification: UInt64, on registration: UInt32) {
    let known = devices.registrations[registration]
    guard devices.givenName(of: known.device) == nil, activities.activities(of: known.device).isEmpty else {
      return ignore(notification, on: registration, "a token that starts activities updates and ends none")
    }
    guard activities.hasRoom else {
      return ignore(notification, on: registration, "no more activities are kept")
    }
    var activity = activity(of: bundle(of: known.app), on: registration)
    activity.token = devices.token(of: registration)
    begin(activity, notification)
    apply(push, notification, to: activity, isQuiet: false)
  }

  /// - Parameter isQuiet: a broadcast, of which there is an event for all devices.
  private mutating func apply(
    _ push: ActivityPush,
    _ notification: UInt64,
    to before: Activity,
    isQuiet: Bool
  ) {
    var activity = before
    if let reason = defect(of: push, for: activity) {
      return ignore(notification, on: activity.registration, reason, isQuiet: isQuiet)
    }
    activity.updates += 1
    activity.updated = now
    note(push, on: &activity)
    let isEnd = push.event == .end
    if isEnd {
      activity.ended = now
      let latest = now + Activity.afterlife
      activity.dismissal = push.dismissalDate.map { min(max($0, now), latest) } ?? latest
    }
    activities.put(activity)
    if isEnd, let channel = activity.channel { unfollow(channel.place, activity) }
    guard !isQuiet else { return }
    let name = devices.name(of: activity.device)
    emit(
      .activity(
        isEnd
          ? .ended(activity.number, device: name, notification: notification)
          : .updated(activity.number, device: name, notification: notification)
      )
    )
  }

  /// The reason why a push changes nothing about an activity; nil where it does.
  private func defect(of push: ActivityPush, for activity: Activity) -> String? {
    let state = activity.state(at: now)
    guard state == .active || state == .stale else { return "the activity a\(activity.number) is over" }
    switch push.event {
    case nil: return "the event is none of start, update and end"
    case .start: return "a channel and a token of an activity start none"
    case .update where push.contentState == nil: return "content-state is missing, or no dictionary"
    case .update, .end: break
    }
    guard let timestamp = push.timestamp else { return "timestamp is missing, or no number of seconds" }
    guard timestamp > activity.timestamp else {
      return "timestamp \(timestamp) is not newer than \(activity.timestamp), that of the last push"
    }
    return undecodable(push.contentState, nil, type: activity.type, app: activity.app)
  }

  /// Notes what starts and updates have in common.
  private func note(_ push: ActivityPush, on activity: inout Activity) {
    activity.timestamp = push.timestamp ?? activity.timestamp
    if let state = push.contentState { activity.contentState = state.text }
    activity.staleDate = push.staleDate
    activity.relevanceScore = push.relevanceScore ?? activity.relevanceScore
    if let alert = push.alert {
      activity.alert = presentationContext(of: activity.registration).text(ofActivityAlert: alert)
    }
  }

  /// The system ends an activity at the end of its life: its device follows the channel no longer.
  mutating func endActivity(_ number: UInt64) {
    guard let activity = activities[number], activity.ended == nil, let channel = activity.channel else {
      return
    }
    unfollow(channel.place, activity)
  }

  /// An activity that is over follows its channel no longer, unless another one on the device does.
  private mutating func unfollow(_ place: UInt32, _ activity: Activity) {
    let others = activities.activities(of: activity.device, on: place)
      .contains { $0.number != activity.number && $0.registration == activity.registration && now < $0.over }
    guard !others, let key = channels[place]?.key, channels.unsubscribe(activity.registration, from: place)
    else {
      return
    }
    let name = devices.ownerName(of: activity.registration)
    emit(.channel(.unsubscribed(key.app, id: key.id, device: name)))
  }

  private mutating func ignore(
    _ notification: UInt64,
    on registration: UInt32,
    _ reason: String,
    isQuiet: Bool = false
  ) {
    let device = devices.registrations[registration].device
    activities.noteIgnored(IgnoredPush(notification: notification, time: now, reason: reason), device: device)
    guard !isQuiet else { return }
    let name = devices.name(of: device)
    emit(.activity(.ignored(device: name, notification: notification, reason: reason)))
  }

  /// A push came for a token that an app has no longer: accepted, and nobody sees anything (OBS).
  mutating func ignoreStale(_ notification: UInt64) {
    let reason =
      "the token to start activities with is not the app's any more, which the service does not say"
    activities.noteIgnored(IgnoredPush(notification: notification, time: now, reason: reason), device: nil)
    emit(.activity(.ignored(device: nil, notification: notification, reason: reason)))
  }

  // MARK: On the device

  /// An app starts an activity by itself.
  mutating func start(_ wanted: ActivitySpecification) throws(CommandError) {
    let app = AppKey(topic: wanted.app.bundleId, environment: wanted.app.environment)
    let registration = try subscriber(named: wanted.device, of: app)
    guard activities.hasRoom else { throw .tooManyActivities(limit: ActivityBook.most) }
    if let token = wanted.token {
      guard (1...TokenSizes.maximum).contains(token.count) else {
        throw .badToken(byteCount: token.count, limit: TokenSizes.maximum)
      }
      guard activities.activity(of: token, app: app) == nil else { throw .activityTokenTaken }
    }
    var channel: Activity.FollowedChannel?
    if let id = wanted.channel {
      guard let place = channels.place(of: ChannelKey(app: app, id: id)) else { throw .unknownChannel(id) }
      guard follow(place, by: registration) else {
        throw .tooManySubscriptions(limit: ChannelBook.mostOfRegistration)
      }
      channel = Activity.FollowedChannel(place: place, id: id)
    }
    var activity = activity(of: app, on: registration)
    activity.type = wanted.attributesType
    (activity.attributes, activity.contentState) = (wanted.attributes, wanted.contentState)
    activity.channel = channel
    activity.token = wanted.token ?? (channel == nil ? makeActivityToken() : nil)
    begin(activity, 0)
  }
}

extension JSONValue {
  /// As JSON.
  fileprivate var text: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}
