import APNSimWire

/// Notifications that reach their device later than they were accepted.
///
/// Nothing is stored for the device: it is online, so that neither the expiry nor a newer notification matters to what
/// is under way. What the device is like when it arrives decides.
extension World {
  /// Lets a notification arrive after a while.
  /// - Returns: false when there is no room for another one under way.
  mutating func postpone(_ arrival: Arrival, by span: TimeSpan) -> Bool {
    guard underway.count < configuration.limits.underway else { return false }
    let facts = StoredNotifications.Facts(
      number: arrival.number,
      deadline: now + span,
      since: now,
      identifier: arrival.identifier,
      badge: arrival.badge,
      isReadable: arrival.isReadable,
      endsByExpiry: false
    )
    guard let handle = store.insert(facts, payload: arrival.payload) else { return false }
    let known = devices.magicDevice(of: arrival.registration)
    let device = known ?? devices.beginMagic(of: arrival.registration)
    let registration = devices.registrations[arrival.registration]
    let entry = UnderwayNotifications.Entry(
      device: device,
      app: registration.app,
      token: registration.token,
      expiry: arrival.expiry,
      handle: handle
    )
    guard let place = underway.insert(entry) else {
      store.remove(handle)
      return false
    }
    schedule(.arrive(place: place), at: facts.deadline)
    return true
  }

  /// A notification that was under way is there. A device that was removed refuses it, like what is stored for one.
  mutating func arrive(_ place: UInt32) {
    let entry = underway.take(place)
    defer { store.remove(entry.handle) }
    let payload = store.payload(entry.handle)
    let facts = store.facts(entry.handle)
    guard devices.has(entry.device) else {
      let token = entry.token.withBytes { Hex.encode($0) }
      return resolve(facts.number, .refused, device: .name(token), app: entry.app)
    }
    var arrival = Arrival(
      registration: entry.device.registration,
      number: facts.number,
      payload: payload,
      position: history.keep(payload),
      identifier: facts.identifier,
      expiry: entry.expiry,
      badge: facts.badge,
      isReadable: facts.isReadable
    )
    if history.notifications.contains(facts.number) {
      arrival.isRequest = history.notifications[facts.number].interface == .http2
    }
    let (outcome, _) = handOver(arrival)
    // A device that went offline meanwhile stores it, which is what its outcome has been.
    if outcome != .stored { resolve(facts.number, outcome, registration: entry.device.registration) }
  }
}
