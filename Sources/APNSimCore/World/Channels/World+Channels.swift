import APNSimWire

/// Channels, as people, scripts and providers create and delete them, and the subscriptions of devices.
extension World {
  /// Creates a channel as a specification says.
  mutating func add(_ wanted: ChannelSpecification) throws(CommandError) {
    let app = AppKey(topic: wanted.app.bundleId, environment: wanted.app.environment)
    guard channels.mayBroadcast(app.topic) else { throw .noBroadcast(app.topic) }
    guard channels.hasRoom(for: app) else {
      throw .tooManyChannels(app, limit: configuration.limits.channels)
    }
    if let id = wanted.id {
      guard ChannelSpecification.isIdentifier(id) else { throw .badChannel(id) }
      guard channels.place(of: ChannelKey(app: app, id: id)) == nil else { throw .channelTaken(id) }
    }
    var registrations: [UInt32] = []
    for name in wanted.subscribers { registrations.append(try subscriber(named: name, of: app)) }
    for registration in registrations {
      guard channels.hasRoom(forSubscriptionOf: registration, after: registrations.count) else {
        throw .tooManySubscriptions(limit: ChannelBook.mostOfRegistration)
      }
    }
    _ = try appOrError(app)
    let (place, _) = addChannel(wanted.storagePolicy, id: wanted.id, of: app)
    for registration in registrations { try subscribe(registration, to: place) }
  }

  /// Creates a channel where there is room.
  mutating func addChannel(
    _ policy: ChannelDescription.StoragePolicy,
    id: String? = nil,
    of app: AppKey
  ) -> (place: UInt32, id: String) {
    let id = id ?? newIdentifier(for: app)
    let place = channels.add(Channel(ChannelKey(app: app, id: id), policy, at: now))
    emit(.channel(.created(app, id: id, policy)))
    return (place, id)
  }

  /// An identifier that no channel of an app has, those included whose identifiers were given.
  private mutating func newIdentifier(for app: AppKey) -> String {
    while true {
      let id = channels.makeIdentifier(at: now, node: random.next())
      if channels.place(of: ChannelKey(app: app, id: id)) == nil { return id }
    }
  }

  /// Deletes a channel. What waits on it has nowhere to go.
  mutating func deleteChannel(_ place: UInt32) {
    guard let key = channels[place]?.key else { return }
    endMessage(of: place, .refused)
    channels.remove(place)
    emit(.channel(.deleted(key.app, id: key.id)))
  }

  /// Finds the channel that is meant.
  func find(_ reference: ChannelReference) throws(CommandError) -> UInt32 {
    if let app = reference.app {
      let bundle = AppKey(topic: app.bundleId, environment: app.environment)
      guard let place = channels.place(of: ChannelKey(app: bundle, id: reference.id)) else {
        throw .unknownChannel(reference.id)
      }
      return place
    }
    let places = channels.places(ofID: reference.id)
    guard let place = places.first else { throw .unknownChannel(reference.id) }
    guard places.count == 1 else { throw .ambiguousChannel(reference.id) }
    return place
  }

  /// Subscribes a device's app to a channel, or ends that.
  mutating func setSubscribed(
    _ name: String,
    _ reference: ChannelReference,
    _ isSubscribed: Bool
  ) throws(CommandError) {
    let place = try find(reference)
    guard let key = channels[place]?.key else { return }
    let registration = try subscriber(named: name, of: key.app)
    if isSubscribed { return try subscribe(registration, to: place) }
    guard channels.unsubscribe(registration, from: place) else { return }
    emit(.channel(.unsubscribed(key.app, id: key.id, device: devices.ownerName(of: registration))))
  }

  private mutating func subscribe(_ registration: UInt32, to place: UInt32) throws(CommandError) {
    guard let key = channels[place]?.key, channels[place]?.subscribers.hasInOrder(registration) == false
    else {
      return
    }
    guard channels.hasRoom(forSubscriptionOf: registration) else {
      throw .tooManySubscriptions(limit: ChannelBook.mostOfRegistration)
    }
    _ = channels.subscribe(registration, to: place)
    emit(.channel(.subscribed(key.app, id: key.id, device: devices.ownerName(of: registration))))
  }

  /// The registration by which a device's app is subscribed: that of the bundle ID itself where it has one.
  func subscriber(named name: String, of app: AppKey) throws(CommandError) -> UInt32 {
    let device = try find(device: name)
    let found = devices.registrations(of: device).reversed().filter { index in
      let registration = devices.registrations[index]
      return registration.flags.contains(.installed) && app.includes(apps[registration.app].key)
    }
    guard let first = found.first(where: { apps[devices.registrations[$0].app].key == app }) ?? found.first
    else { throw .appNotOnDevice(device: name, app: app) }
    return first
  }

  /// Gives an App ID the broadcast capability, or takes it away with all its channels.
  mutating func setBroadcast(_ bundleId: String, _ isOn: Bool) {
    guard channels.mayBroadcast(bundleId) != isOn else { return }
    channels.setBroadcast(bundleId, isOn)
    emit(.channel(.capability(bundleId: bundleId, isOn: isOn)))
    guard !isOn else { return }
    for environment in PushEnvironment.allCases {
      for place in channels.places(of: AppKey(topic: bundleId, environment: environment)) {
        deleteChannel(place)
        recordInTime()
      }
    }
  }

  /// The channel that was created last.
  var newestChannel: ChannelView? {
    channels[channels.lastPlace].map { view(ofChannel: channels.lastPlace, $0) }
  }

  /// A channel as it is now; the place must be one.
  func view(ofChannel place: UInt32, _ channel: Channel) -> ChannelView {
    ChannelView(
      id: channel.key.id,
      app: channel.key.app,
      storagePolicy: channel.storagePolicy,
      created: channel.created,
      subscribers: channel.subscribers.prefix(ChannelView.mostNames).map { devices.ownerName(of: $0) },
      subscriberCount: channel.subscribers.count,
      published: channel.published,
      delivered: channel.delivered,
      stored: channel.message?.number,
      until: channel.message?.until,
      place: place
    )
  }
}
