import APNSimWire

/// The lines that connected devices say.
extension World {
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

  mutating func refuse(_ session: DeviceSession, _ refusal: DeviceRefusal) {
    refuse(session, with: refusal.line)
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

  /// The newest connection of a device wins; it also gets what the older one had not sent yet.
  private mutating func replaceSession(of device: UInt32) -> [DeviceSession.Output] {
    guard let older = sessions.session(of: device) else { return [] }
    let unsent = older.giveNotifications()
    endSession(of: device, .replaced)
    return unsent
  }
}
