import APNSimWire

/// Devices as people and scripts change them.
extension World {
  /// Makes the device what the specification says; a new one if there is none of that name. Apps it had and the
  /// specification does not name are removed from it.
  /// - Parameter unnamed: a device that was made on first sight and gets the name, which no other one may have.
  mutating func put(
    _ specification: DeviceSpecification,
    naming unnamed: UInt32? = nil
  ) throws(CommandError) {
    guard !specification.name.isEmpty else { throw .emptyName }
    try check(specification)
    let limit = configuration.limits.devices
    let named = devices.device(named: specification.name)
    if unnamed != nil, named != nil { throw .nameTaken(specification.name) }
    var known = named ?? unnamed
    if known == nil { known = seenDevice(specification) }
    guard known != nil || devices.liveDevices < limit else { throw .tooManyDevices(limit: limit) }
    let issued = try issuedTokens(specification)
    let device: UInt32
    if let known {
      device = known
      if devices.givenName(of: known) == nil { give(specification.name, to: known) }
      let wanted = Set(specification.apps.map(\.app))
      for registration in devices.registrations(of: device)
      where !wanted.contains(apps[devices.registrations[registration].app].key) {
        removeApp(registration)
      }
    } else {
      guard let added = devices.addDevice(name: specification.name, isOnline: specification.isOnline)
      else { throw .tooManyDevices(limit: limit) }
      device = added
      emit(.deviceAdded(name: specification.name, isOnline: specification.isOnline))
    }
    for (app, token) in zip(specification.apps, issued) {
      try put(app, on: device, named: specification.name, token: token)
    }
    devices.setLanguages(specification.languages, of: device)
    tellTokens(of: device)
    setOnline(device, specification.isOnline)
  }

  /// The device that was made on first sight for one of the specification's tokens and is called by it.
  private func seenDevice(_ specification: DeviceSpecification) -> UInt32? {
    for app in specification.apps {
      guard let token = app.token, Hex.encode(token) == specification.name,
        let index = apps.place(of: app.app),
        let registration = devices.find(app: index, token: token)
      else { continue }
      let device = devices.registrations[registration].device
      if devices.givenName(of: device) == nil { return device }
    }
    return nil
  }

  /// A device that was made on first sight joins the named ones; whoever follows them sees it added. What it has got,
  /// what waits for it and its apps stay as they are.
  mutating func give(_ name: String, to device: UInt32) {
    devices.give(name, to: device, from: history.nextNumber)
    emit(.deviceAdded(name: name, isOnline: devices.devices[device].isOnline))
  }

  /// Makes the device what it is now with the change. One that was made on first sight stays so while only its state
  /// changes; otherwise the token it is called by becomes its name.
  mutating func perform(_ change: DeviceChange) throws(CommandError) {
    let device = try find(device: change.device)
    let before = view(ofDevice: device).specification
    var after = before
    try after.apply(change)
    guard devices.givenName(of: device) == nil else { return try put(after) }
    guard after.differsInStateOnly(from: before) else { return try put(after, naming: device) }
    for (registration, app) in zip(devices.registrations(of: device).reversed(), after.apps) {
      setInstalled(registration, app.isInstalled)
    }
    setOnline(device, after.isOnline)
  }

  /// Throws, before anything changes, what would make `put` stop half way.
  private func check(_ specification: DeviceSpecification) throws(CommandError) {
    let (count, limit) = (specification.apps.count, configuration.limits.deviceApps)
    guard count <= limit else {
      throw .tooManyAppsOnDevice(device: specification.name, count: count, limit: limit)
    }
    var seen: Set<AppKey> = []
    for app in specification.apps {
      guard !app.app.topic.isEmpty else { throw .emptyTopic }
      guard count == 1 || seen.insert(app.app).inserted else {
        throw .appTwice(device: specification.name, app: app.app)
      }
      guard let token = app.token else { continue }
      guard (1...TokenSizes.maximum).contains(token.count) else {
        throw .badToken(byteCount: token.count, limit: TokenSizes.maximum)
      }
      if let index = apps.place(of: app.app) { try check(token, of: app.app, index, on: specification.name) }
    }
    let new = specification.apps.count { apps.place(of: $0.app) == nil }
    guard apps.count + new <= apps.limit else { throw .tooManyApps(limit: apps.limit) }
  }

  /// The tokens to be issued, which must be of no other device. They are asked for last: a replay knows only those that
  /// were issued in the end.
  /// - Returns: nil for an app that says its token itself, and for one that is to be made.
  private func issuedTokens(_ specification: DeviceSpecification) throws(CommandError) -> [[UInt8]?] {
    var tokens: [[UInt8]?] = []
    // A device that is not there yet has rotated no token.
    let identity =
      devices.device(named: specification.name) == nil ? DeviceIdentity.of(name: specification.name) : nil
    for app in specification.apps {
      guard app.token == nil, let index = apps.place(of: app.app) else {
        tokens.append(nil)
        continue
      }
      let token =
        identity.map { setup.issuer.issue(device: $0, app: app.app) }
        ?? issuedToken(for: app.app, on: specification.name)
      try check(token, of: app.app, index, on: specification.name)
      tokens.append(token)
    }
    return tokens
  }

  /// A token of another device with a name is not for this one.
  func check(
    _ token: [UInt8],
    of key: AppKey,
    _ app: UInt16,
    on name: String
  ) throws(CommandError) {
    guard let owner = devices.find(app: app, token: token), !devices.lives.isReplaced(owner) else { return }
    let other = devices.givenName(of: devices.registrations[owner].device)
    if let other, other != name { throw .tokenTaken(app: key, device: other) }
  }

  /// - Parameter issued: the token to be issued, where it is known already.
  mutating func put(
    _ wanted: AppSpecification,
    on device: UInt32,
    named name: String,
    token issued: [UInt8]? = nil
  ) throws(CommandError) {
    let app = try appOrError(wanted.app)
    let token = wanted.token ?? issued ?? issuedToken(for: wanted.app, on: name)
    var belongings: Belongings?
    if let known = devices.registration(of: device, app: app) {
      if devices.token(of: known) == token {
        setInstalled(known, wanted.isInstalled)
        expire(known, wanted.expires)
        return
      }
      belongings = takeBelongings(of: known, on: device)
    }
    makeFree(token, of: app)
    var flags: Registration.Flags = wanted.isInstalled ? .installed : []
    let isIssued = wanted.token == nil || setup.issuer.open(token, app: wanted.app) != nil
    if isIssued { flags.insert(.issued) }
    let registration = token.withUnsafeBytes {
      devices.register(device: device, app: app, token: $0, flags: flags, at: now)
    }
    guard let registration else {
      activities.removeAll(of: .max, device: device)
      throw .tooManyDevices(limit: configuration.limits.devices)
    }
    if let belongings { give(belongings, to: registration) }
    emit(.appInstalled(device: name, app: wanted.app, token: token, isIssued: isIssued))
    if !wanted.isInstalled {
      emit(.appUninstalled(device: name, app: wanted.app, token: token))
      noteRemoval(of: registration)
    }
    expire(registration, wanted.expires)
  }

  /// Lets a token expire on the clock, or never.
  private mutating func expire(_ index: UInt32, _ life: TokenLife?) {
    let moment: Timestamp? =
      switch life {
      case .at(let moment): moment
      case .after(let span): now + span
      case nil: nil
      }
    guard devices.expiration(of: index) != moment else { return }
    devices.expire(index, at: moment)
    guard let moment else { return }
    if moment <= now {
      expireToken(index, at: moment)
    } else {
      schedule(.expireToken(registration: index), at: moment)
    }
  }

  /// A token is good no longer: over the binary interface that is an app that is gone.
  mutating func expireToken(_ index: UInt32, at moment: Timestamp) {
    guard devices.expiration(of: index) == moment else { return }
    setInstalled(index, false)
  }

  /// Going online delivers what waits, the app that registered first first.
  mutating func setOnline(_ device: UInt32, _ isOnline: Bool) {
    guard isOnline else { return goOffline(device) }
    guard !devices.devices[device].isOnline else { return }
    devices.setOnline(device, true)
    emit(.deviceOnline(name: devices.name(of: device)))
    for registration in devices.registrations(of: device).reversed() {
      noteRemoval(of: registration)
      deliverStored(registration)
    }
    guard channels.hasSubscriptions else { return }
    for registration in devices.registrations(of: device).reversed() { deliverBroadcasts(to: registration) }
  }

  /// Removing an app is silent until the next notification for it; installing it again registers it anew.
  mutating func setInstalled(_ index: UInt32, _ isInstalled: Bool) {
    let registration = devices.registrations[index]
    guard registration.flags.contains(.installed) != isInstalled else { return }
    let name = devices.name(of: registration.device)
    let key = apps[registration.app].key
    let token = devices.token(of: index)
    if isInstalled {
      devices.install(index, at: now)
      let isIssued = registration.flags.contains(.issued)
      emit(.appInstalled(device: name, app: key, token: token, isIssued: isIssued))
    } else {
      devices.uninstall(index)
      devices.setBadge(index, 0)
      channels.unsubscribe(index)
      buryActivities(of: index)
      emit(.appUninstalled(device: name, app: key, token: token))
      noteRemoval(of: index)
    }
  }

  mutating func remove(device: UInt32) {
    let name = devices.name(of: device)
    endSession(of: device, .removed)
    devices.setLanguages([], of: device)
    activities.forget(device: device)
    for registration in devices.registrations(of: device) { forget(registration) }
    if devices.givenName(of: device) != nil {
      devices.removeDevice(device, end: history.nextNumber)
      forgetRemoved()
    }
    emit(.deviceRemoved(name: name))
  }

  mutating func removeApp(_ index: UInt32) {
    let registration = devices.registrations[index]
    let name = devices.name(of: registration.device)
    let key = apps[registration.app].key
    let token = devices.token(of: index)
    forget(index)
    emit(.appRemoved(device: name, app: key, token: token))
  }

  /// The wait of an app's notifications ends: they have nowhere to go.
  mutating func endWait(of index: UInt32) {
    let handle = devices.registrations[index].stored
    if handle != 0 {
      let number = store.number(handle)
      store.remove(handle)
      devices.setStored(index, 0)
      resolve(number, .refused, registration: index)
    }
    forgetCollapsed(index)
  }

  /// Removes a registration, and a device made on first sight with it, after the end of what waits for it.
  mutating func forget(_ index: UInt32) {
    let registration = devices.registrations[index]
    endWait(of: index)
    channels.unsubscribe(index)
    activities.removeAll(of: index, device: registration.device)
    devices.unregister(index, end: history.nextNumber)
    let device = registration.device
    if devices.givenName(of: device) == nil, devices.devices[device].firstRegistration == Registration.none {
      activities.forget(device: device)
      devices.removeDevice(device, end: history.nextNumber)
    }
    forgetRemoved()
  }

  /// Lets go of what was removed, as far as the history tells of it no more.
  mutating func forgetRemoved() {
    devices.forgetRemoved(from: history.notifications.first, most: configuration.limits.removedDevices)
  }
}
