import APNSimWire

/// The tokens of devices: issued, replaced, dead and living again.
extension World {
  /// The token that the simulator issues for an app on a device, as often as it has rotated.
  func issuedToken(for key: AppKey, on name: String) -> [UInt8] {
    var incarnation: UInt32 = 0
    if let device = devices.device(named: name), let app = apps.place(of: key) {
      incarnation = devices.lives.incarnation(of: device, app: app)
    }
    return setup.issuer.issue(device: DeviceIdentity.of(name: name, incarnation: incarnation), app: key)
  }

  /// The apps of a device that are installed, or one of them, get other tokens; what waits for them waits on. A device that
  /// was made on first sight is called by its first one from then on.
  mutating func rotateTokens(of reference: String, _ key: AppKey?) throws(CommandError) {
    let device = try find(device: reference)
    let rotated = devices.registrations(of: device).reversed().filter { index in
      let registration = devices.registrations[index]
      return registration.flags.contains(.installed) && (key?.includes(apps[registration.app].key) ?? true)
    }
    if let key, rotated.isEmpty { throw .appNotOnDevice(device: reference, app: key) }
    let name = devices.name(of: device)
    for index in rotated {
      let app = devices.registrations[index].app
      let incarnation = devices.lives.incarnation(of: device, app: app) &+ 1
      let identity = DeviceIdentity.of(name: name, incarnation: incarnation)
      try check(setup.issuer.issue(device: identity, app: apps[app].key), of: apps[app].key, app, on: name)
    }
    if devices.givenName(of: device) == nil { give(name, to: device) }
    for index in rotated {
      let app = devices.registrations[index].app
      devices.lives.beginIncarnation(of: device, app: app)
      try put(AppSpecification(app: apps[app].key), on: device, named: name)
    }
    tellTokens(of: device)
  }

  // MARK: Another token for an app

  /// The things that an app has and keeps when it gets another token.
  struct Belongings {
    fileprivate var before: Registration
    fileprivate var collapsed: [CollapsedNotifications.Entry] = []
    fileprivate var subscribed: [UInt32] = []
    fileprivate var shown: [UInt64] = []
  }

  /// Takes what an app has, whose token dies. What waits for an app that was removed ends: it is another installation that
  /// comes.
  mutating func takeBelongings(of index: UInt32, on device: UInt32) -> Belongings {
    let registration = devices.registrations[index]
    let isRemembered = isRemembered(index)
    if configuration.rules.have(.waitBeforeReinstallation), !registration.flags.contains(.installed) {
      endWait(of: index)
    }
    var belongings = Belongings(before: devices.registrations[index])
    devices.setStored(index, 0)
    if isRemembered { belongings.collapsed = store.collapsed.takeEntries(of: index) }
    belongings.subscribed = channels.unsubscribe(index)
    belongings.shown = activities.detach(from: index, device: device)
    if isRemembered {
      replaceToken(of: index)
    } else {
      noteStaleToken(of: index)
      removeApp(index)
    }
    return belongings
  }

  /// An app has got another token: what it had stays its own, but for the badge where it goes at the same time. There
  /// is one notification that waits for an app and a device, whatever its token.
  mutating func give(_ belongings: Belongings, to index: UInt32) {
    let isInstalled = devices.registrations[index].flags.contains(.installed)
    devices.setBadge(index, isInstalled ? belongings.before.badge : 0)
    devices.setLastDelivery(index, belongings.before.lastDelivery)
    activities.attach(belongings.shown, to: index)
    for place in belongings.subscribed { _ = channels.subscribe(index, to: place) }
    for entry in belongings.collapsed {
      store.collapsed.add(entry, to: index)
      schedule(.expireCollapsed(registration: index), at: store.deadline(entry.handle))
    }
    guard belongings.before.stored != 0 else { return }
    devices.setStored(index, belongings.before.stored)
    schedule(.expireStored(registration: index), at: store.deadline(belongings.before.stored))
  }

  /// Frees a token for an app that gets it: it belongs to a device made on first sight, or was replaced and lives again. It
  /// has been checked that no other device has it.
  mutating func makeFree(_ token: [UInt8], of app: UInt16) {
    guard let stranger = devices.find(app: app, token: token) else { return }
    if devices.lives.isReplaced(stranger) {
      devices.forgetToken(of: stranger, end: history.nextNumber)
      forgetRemoved()
    } else {
      forget(stranger)
    }
  }

  // MARK: Dead tokens

  /// True for a token that is remembered when another one replaces it. Of one that starts Live Activities the service says
  /// nothing (OBS: luka-ios PR 146).
  private func isRemembered(_ index: UInt32) -> Bool {
    configuration.rules.have(.replacedToken) && !isOfActivities(index)
  }

  private func isOfActivities(_ index: UInt32) -> Bool {
    apps[devices.registrations[index].app].key.topic.hasSuffix(".push-type.liveactivity")
  }

  /// A token to start Live Activities with is replaced: providers that go on using it are not told.
  private mutating func noteStaleToken(of index: UInt32) {
    guard isOfActivities(index) else { return }
    activities.noteStale(devices.token(of: index), app: bundle(of: devices.registrations[index].app))
  }

  /// An app's token is replaced: it is dead from now on, and remembered.
  private mutating func replaceToken(of index: UInt32) {
    let registration = devices.registrations[index]
    let name = devices.name(of: registration.device)
    devices.replace(index, at: now)
    devices.forgetReplaced(beyond: configuration.limits.deadTokens, end: history.nextNumber)
    forgetRemoved()
    emit(.appRemoved(device: name, app: apps[registration.app].key, token: devices.token(of: index)))
  }

  /// The service learns that an app is gone, at once or when its device is back: its token is dead.
  mutating func noteRemoval(of index: UInt32) {
    let registration = devices.registrations[index]
    guard configuration.rules.have(.timeOfRemoval), !registration.flags.contains(.installed),
      !registration.flags.contains(.dead), devices.devices[registration.device].isOnline
    else { return }
    devices.end(index, at: now)
  }

  /// The activities of an app that was removed end with it, and their tokens die.
  mutating func buryActivities(of index: UInt32) {
    let registration = devices.registrations[index]
    let ended = activities.activities(of: registration.device).filter { $0.registration == index }
    activities.removeAll(of: index, device: registration.device)
    guard configuration.rules.have(.replacedToken), devices.devices[registration.device].isOnline else {
      return
    }
    for activity in ended {
      let topic = activity.app.topic + ".push-type.liveactivity"
      guard let token = activity.token,
        let app = apps.add(AppKey(topic: topic, environment: activity.app.environment)),
        devices.find(app: app, token: token) == nil,
        let dead = token.withUnsafeBytes({
          devices.register(device: registration.device, app: app, token: $0, flags: [], at: now)
        })
      else { continue }
      devices.replace(dead, at: now)
    }
    devices.forgetReplaced(beyond: configuration.limits.deadTokens, end: history.nextNumber)
  }
}
