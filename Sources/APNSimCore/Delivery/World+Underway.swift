internal import APNSimWire

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
      byteCount: arrival.frame.count,
      isReadable: arrival.isReadable,
      endsByExpiry: false
    )
    guard let handle = store.insert(facts, frame: arrival.frame) else { return false }
    let known = devices.magicDevice(of: arrival.registration)
    let device = known ?? devices.beginMagic(of: arrival.registration)
    let app = devices.registrations[arrival.registration].app
    guard let place = underway.insert(.init(device: device, app: app, handle: handle)) else {
      store.remove(handle)
      return false
    }
    schedule(.arrive(place: place), at: facts.deadline)
    return true
  }

  /// What was under way is there. A device that was removed refuses it, like what is stored for one.
  mutating func arrive(_ place: UInt32) {
    let entry = underway.take(place)
    defer { store.remove(entry.handle) }
    let frame = store.frame(entry.handle)
    let facts = store.facts(entry.handle)
    guard let parsed = FrameDecoder.next(in: frame, from: 0, mode: .reading) else { return }
    guard devices.has(entry.device) else {
      let token = Hex.encode(parsed.token(in: frame))
      return resolve(facts.number, .refused, device: .name(token), app: entry.app)
    }
    let arrival = Arrival(
      registration: entry.device.registration,
      number: facts.number,
      frame: frame,
      position: history.keep(frame),
      expiry: FrameJudge(configuration, tokenSizes: devices.tokenSizes).expiry(of: parsed),
      badge: PayloadJudge.judge(parsed.payload(in: frame)).facts.newBadge,
      isReadable: facts.isReadable
    )
    let (outcome, _) = handOver(arrival)
    // A device that went offline meanwhile stores it, which is what its outcome has been.
    if outcome != .stored { resolve(facts.number, outcome, registration: entry.device.registration) }
  }
}
