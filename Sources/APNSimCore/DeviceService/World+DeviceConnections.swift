import APNSimWire

/// Devices that are connected: being connected is being online.
///
/// A notification that is handed to a connection counts as delivered, as far as the service can know. What a
/// connection still held when it broke is lost, but for the last one of each app that came after the device was
/// found gone: that is stored, like any other.
extension World {
  mutating func open(_ opening: DeviceOpening) -> DeviceSession {
    let id = connections.takeID()
    _ = connections.takeOrdinal(of: .device)
    emit(.deviceConnected(id, opening))
    let session = DeviceSession(id: id, opening: opening)
    sessions.add(session)
    return session
  }

  mutating func close(_ session: DeviceSession, _ reason: ClosingReason) {
    guard session.close() else { return }
    let device = release(session)
    sessions.forget(session)
    emit(
      .deviceDisconnected(
        session.id,
        reason,
        device: session.opening.device,
        delivered: session.delivered,
        lost: session.lost
      )
    )
    if let device { setOnline(device, false) }
  }

  // MARK: Lines in

  mutating func receive(_ line: [UInt8], from session: DeviceSession) {
    guard !session.isEnding else { return }
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty else { return }
    emit(.bytesIn(session.id, line, count: line.count))
    do throws(DeviceRefusal) {
      let request = try DeviceRequest(
        line,
        environment: session.opening.environment,
        mostApps: configuration.limits.deviceApps
      )
      try perform(request, from: session)
    } catch {
      refuse(session, error)
    }
  }

  /// Refuses a line that has more bytes than it may and no end yet.
  mutating func receiveEndless(_ start: [UInt8], from session: DeviceSession) {
    guard !session.isEnding else { return }
    let limit = configuration.limits.deviceLine
    emit(.bytesIn(session.id, start, count: limit + 1))
    let refusal = DeviceRefusal(
      .line,
      expected: "a newline within \(limit) bytes",
      found: "none in the first \(limit + 1)"
    )
    refuse(session, refusal)
  }

  private mutating func perform(
    _ request: DeviceRequest,
    from session: DeviceSession
  ) throws(DeviceRefusal) {
    switch request {
    case .apps(let apps, let languages): try admit(apps, languages, session)
    case .install(let app):
      guard session.device != nil else { throw Self.appsFirst("install") }
      try admit([app], nil, session)
    case .uninstall(let key):
      guard let device = session.device else { throw Self.appsFirst("uninstall") }
      guard let app = apps.place(of: key), let registration = devices.registration(of: device, app: app)
      else {
        throw DeviceRefusal(.request, expected: "an app of this device", found: "\(key)")
      }
      setInstalled(registration, false)
      tellTokens(of: device)
    }
  }

  private static func appsFirst(_ key: String) -> DeviceRefusal {
    DeviceRefusal(.request, expected: "the device's apps in the first line", found: key)
  }

  /// The device shows its tokens and gets those it has now; with that it is online.
  private mutating func admit(
    _ wanted: [DeviceRequest.App],
    _ languages: [String]?,
    _ session: DeviceSession
  ) throws(DeviceRefusal) {
    let name = session.opening.device
    for app in wanted { try checkTrust(app, device: name) }
    let device = try prepare(wanted, device: name)
    if let languages { devices.setLanguages(languages, of: device) }
    if session.device == nil {
      let unsent = replaceSession(of: device)
      sessions.hold(device, by: session)
      devices.setConnected(device, true)
      tellTokens(of: device)
      for output in unsent { session.append(output) }
      setOnline(device, true)
    } else {
      tellTokens(of: device)
    }
  }

  /// Makes the device and its apps, where there is room.
  private mutating func prepare(
    _ wanted: [DeviceRequest.App],
    device name: String
  ) throws(DeviceRefusal) -> UInt32 {
    let limits = configuration.limits
    let known = devices.device(named: name)
    let had = Set(
      known.map { devices.registrations(of: $0).map { apps[devices.registrations[$0].app].key } } ?? []
    )
    let count = had.union(wanted.map(\.key)).count
    guard count <= limits.deviceApps else {
      throw DeviceRefusal(apps: count, most: limits.deviceApps)
    }
    let device: UInt32
    if let known {
      device = known
    } else {
      guard devices.liveDevices < limits.devices, let made = devices.addDevice(name: name, isOnline: false)
      else { throw Self.noRoom(.tooManyDevices(limit: limits.devices)) }
      device = made
      emit(.deviceAdded(name: name, isOnline: false))
    }
    do throws(CommandError) {
      for app in wanted {
        let index = try appOrError(app.key)
        if let registration = devices.registration(of: device, app: index) {
          setInstalled(registration, true)
        } else {
          try put(AppSpecification(app: app.key, token: app.token), on: device, named: name)
        }
      }
    } catch {
      throw Self.noRoom(error)
    }
    return device
  }

  private static func noRoom(_ error: CommandError) -> DeviceRefusal {
    DeviceRefusal(.room, expected: "room for the device and its apps", found: error.description)
  }

  // MARK: Lines out

  mutating func refuse(_ session: DeviceSession, _ refusal: DeviceRefusal) {
    guard !session.isEnding else { return }
    end(session, with: refusal.line)
    if let device = release(session) { setOnline(device, false) }
  }

  /// Ends the connection that holds a device online, if there is one. The device itself stays as it is.
  mutating func endSession(of device: UInt32, _ closing: DeviceClosing) {
    guard let session = sessions.session(of: device) else { return }
    _ = release(session)
    if closing == .tooSlow { session.loseQueue() }
    end(session, with: closing.line)
  }

  /// An operator ends the connection of a device: it is offline from here on, and what comes next is stored.
  mutating func endSession(_ id: ConnectionID) {
    guard let session = sessions.session(id) else { return }
    session.end()
    if let device = release(session) { setOnline(device, false) }
  }

  /// The newest connection of a device wins; it also gets what the older one had not sent yet.
  private mutating func replaceSession(of device: UInt32) -> [DeviceSession.Output] {
    guard let older = sessions.session(of: device) else { return [] }
    let unsent = older.giveNotifications()
    endSession(of: device, .replaced)
    return unsent
  }

  /// Takes the device away from its connection, and returns it.
  private mutating func release(_ session: DeviceSession) -> UInt32? {
    guard let device = sessions.release(session) else { return nil }
    devices.setConnected(device, false)
    return device
  }

  private mutating func end(_ session: DeviceSession, with line: [UInt8]) {
    session.end()
    tell(session, line)
  }

  private mutating func tell(_ session: DeviceSession, _ line: [UInt8]) {
    emit(.bytesOut(session.id, line))
    session.append(.line(line))
    wake(session)
  }

  private mutating func wake(_ session: DeviceSession) {
    if session.wake() { effects.wake(session.id) }
  }

  /// Tells a connected device the tokens of its apps, as they are now.
  mutating func tellTokens(of device: UInt32) {
    guard let session = sessions.session(of: device), !session.isEnding else { return }
    guard hasRoom(session) else { return dropSlow(device) }
    tell(session, tokensLine(of: device))
  }

  /// `{"device":"alice","tokens":[{"topic":"com.example.app","environment":"production","token":"…"}]}`
  private func tokensLine(of device: UInt32) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("device", devices.name(of: device))
    writer.key("tokens")
    writer.beginArray()
    for index in devices.registrations(of: device).reversed()
    where devices.registrations[index].flags.contains(.installed) {
      writer.beginObject()
      apps[devices.registrations[index].app].key.writeMembers(to: &writer)
      writer.member("token", hex: devices.token(of: index))
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }

  // MARK: Notifications

  private func hasRoom(_ session: DeviceSession) -> Bool {
    session.queuedBytes < configuration.limits.deviceQueueBytes
  }

  /// The device does not read: it is offline from here on, and what comes next is stored.
  private mutating func dropSlow(_ device: UInt32) {
    endSession(of: device, .tooSlow)
    setOnline(device, false)
  }

  /// Before a notification for a connected device: takes the device offline when its queue is full.
  @inline(never)
  mutating func dropIfSlow(_ device: UInt32) {
    guard let session = sessions.session(of: device), !hasRoom(session) else { return }
    dropSlow(device)
  }

  /// Hands a delivery to the connection of its device.
  @inline(never)
  mutating func hand(
    _ number: UInt64,
    payload: UnsafeRawBufferPointer,
    identifier: NotificationIdentifier?,
    to registration: UInt32
  ) {
    guard let session = sessions.session(of: devices.registrations[registration].device) else { return }
    let notification = notification(
      number,
      payload: payload,
      identifier: identifier,
      registration: registration,
      at: now
    )
    session.append(.notification(notification, presentationContext(of: registration)))
    wake(session)
  }
}
