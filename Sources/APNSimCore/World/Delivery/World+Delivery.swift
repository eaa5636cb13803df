import APNSimWire

/// Store-and-forward: what happens to an accepted notification, and to the one that waits on each device.
///
/// "If the device is offline … the notification is retained … If the device comes online … Quality of Service …
/// sends the last notification"; there is at most one for each app and device, and each new one causes the prior to
/// be discarded (Programming Guide, "Quality of Service"; 2013: "coalescing").
extension World {
  /// An accepted notification on its way to its device, with what has been found out about it.
  struct Arrival {
    var registration: UInt32
    var number: UInt64
    var payload: UnsafeRawBufferPointer
    /// The payload's place in the arena.
    var position: UInt64
    var identifier: NotificationIdentifier?
    var expiry: Expiry
    /// The badge that the payload sets, if it does; not negative.
    var badge: Int32?
    var isReadable: Bool
    /// It came by HTTP/2, where it is stored longer.
    var isRequest = false
    /// The behaviour of the device, where its token says.
    var magic: MagicToken?
  }

  /// Delivers, stores or refuses; returns the outcome and the number of the notification it replaced (0 for none).
  /// - Parameter identifier: the collapse identifier under which it waits; nil where it waits as its app's last one.
  @inline(__always)
  mutating func settle(_ arrival: Arrival, under identifier: [UInt8]? = nil) -> (Outcome, replaced: UInt64) {
    if devices.registrations[arrival.registration].flags.contains(.disowned) {
      noteSentToListed(arrival.registration)
    }
    // Under its identifier it waits from now on: what is under way has none.
    if let identifier { return handOver(arrival, under: identifier) }
    if let magic = arrival.magic, let settled = settle(arrival, magic) { return settled }
    return handOver(arrival)
  }

  /// The notification is at its device, online or not.
  @inline(__always)
  mutating func handOver(_ arrival: Arrival) -> (Outcome, replaced: UInt64) {
    let registration = devices.registrations[arrival.registration]
    let isConnected = devices.devices[registration.device].isConnected
    if isConnected { dropIfSlow(registration.device) }
    guard devices.devices[registration.device].isOnline || registration.flags.contains(.dead) else {
      return store(arrival)
    }
    guard registration.flags.contains(.installed) else {
      refuse(arrival.registration)
      return (.refused, 0)
    }
    guard arrival.isReadable else { return (.dropped, 0) }
    let delivery = history.append(
      DeliveryRecord(
        previous: registration.lastDelivery,
        notification: arrival.number,
        time: now,
        payload: arrival.position,
        identifier: arrival.identifier,
        payloadByteCount: UInt16(truncatingIfNeeded: arrival.payload.count)
      )
    )
    devices.setLastDelivery(arrival.registration, delivery)
    setBadge(arrival.registration, arrival.badge)
    if isConnected {
      hand(
        arrival.number,
        payload: arrival.payload,
        identifier: arrival.identifier,
        to: arrival.registration
      )
    }
    return (.delivered, 0)
  }

  /// For an offline device the newest one counts, whether it is stored or not: the one that waited is discarded.
  mutating func store(_ arrival: Arrival) -> (Outcome, replaced: UInt64) {
    let before = storedDeadline(arrival.registration)
    let replaced = discardStored(arrival.registration, for: arrival.number)
    let (facts, outcome) = waiting(arrival)
    guard let facts else { return (outcome, replaced) }
    guard let handle = store.insert(facts, payload: arrival.payload) else { return (.notStored, replaced) }
    devices.setStored(arrival.registration, handle)
    // Under a clock that stands still each one ends when the one before would have.
    if facts.deadline != before {
      schedule(.expireStored(registration: arrival.registration), at: facts.deadline)
    }
    return (.stored, replaced)
  }

  /// A notification as it waits for an offline device; nil for one that does not wait, with its outcome.
  @inline(__always)
  func waiting(_ arrival: Arrival) -> (StoredNotifications.Facts?, Outcome) {
    let period = arrival.isRequest ? configuration.storagePeriodOfRequests : configuration.storagePeriod
    var deadline = now + min(period, StoredNotifications.longestWait)
    var endsByExpiry = false
    switch arrival.expiry {
    case .doNotStore: return (nil, .notStored)
    case .at(let expiry) where expiry <= now: return (nil, .expired)
    case .at(let expiry) where expiry < deadline: (deadline, endsByExpiry) = (expiry, true)
    case .at, .absent: break
    }
    let facts = StoredNotifications.Facts(
      number: arrival.number,
      deadline: deadline,
      since: now,
      identifier: arrival.identifier,
      badge: arrival.badge,
      isReadable: arrival.isReadable,
      endsByExpiry: endsByExpiry
    )
    return (facts, .stored)
  }

  /// When what waits for a registration is given up; nil when nothing waits.
  private func storedDeadline(_ registration: UInt32) -> Timestamp? {
    let handle = devices.registrations[registration].stored
    return handle == 0 ? nil : store.deadline(handle)
  }

  /// Removes what waits for a registration because `newer` takes its place; returns its number, 0 for none.
  private mutating func discardStored(_ registration: UInt32, for newer: UInt64) -> UInt64 {
    let handle = devices.registrations[registration].stored
    guard handle != 0 else { return 0 }
    let number = store.number(handle)
    store.remove(handle)
    devices.setStored(registration, 0)
    resolve(number, .replaced, registration: registration, detail: newer)
    return number
  }

  /// A stored notification's time is over.
  mutating func expireStored(_ registration: UInt32, at deadline: Timestamp) {
    let handle = devices.registrations[registration].stored
    guard handle != 0 else { return }
    let facts = store.facts(handle)
    guard facts.deadline == deadline else { return }
    store.remove(handle)
    devices.setStored(registration, 0)
    resolve(facts.number, .expired, registration: registration, detail: facts.endsByExpiry ? 1 : 0)
  }

  /// The device is back: it gets what waited, or refuses it.
  mutating func deliverStored(_ index: UInt32) {
    if store.collapsed.has(index) { return deliverCollapsed(index) }
    let handle = devices.registrations[index].stored
    guard handle != 0 else { return }
    defer {
      store.remove(handle)
      devices.setStored(index, 0)
    }
    deliver(handle, to: index)
  }

  /// Brings the notification that waited under a handle to its device, where it may be refused.
  mutating func deliver(_ handle: UInt32, to index: UInt32) {
    let facts = store.facts(handle)
    guard devices.registrations[index].flags.contains(.installed) else {
      refuse(index)
      resolve(facts.number, .refused, registration: index)
      return
    }
    guard facts.isReadable else {
      resolve(facts.number, .dropped, registration: index)
      return
    }
    let payload = store.payload(handle)
    let delivery = history.append(
      DeliveryRecord(
        previous: devices.registrations[index].lastDelivery,
        notification: facts.number,
        time: now,
        payload: history.keep(payload),
        identifier: facts.identifier,
        payloadByteCount: UInt16(truncatingIfNeeded: payload.count)
      )
    )
    devices.setLastDelivery(index, delivery)
    setBadge(index, facts.badge)
    hand(facts.number, payload: payload, identifier: facts.identifier, to: index)
    resolve(facts.number, .delivered, registration: index)
    guard !activities.isEmpty else { return }
    let waiting = activities.takeWaiting(facts.number, on: index)
    guard waiting.isKnown else { return }
    showActivity(payload, facts.number, on: index, by: waiting.activity.map { .activity($0) } ?? .app)
  }

  /// A device without the app refuses, and the feedback service lists its token with the time of this refusal.
  mutating func refuse(_ index: UInt32) {
    let registration = devices.registrations[index]
    let timestamp = now.tupleSeconds
    devices.disown(index, at: now)
    if registration.flags.contains(.listed),
      apps[registration.app].ledger.renew(
        position: devices.feedbackPosition(of: index),
        timestamp: timestamp
      )
    {
      return
    }
    let tuple = FeedbackTuple(timestamp: timestamp, token: devices.token(of: index))
    devices.list(index, at: apps[registration.app].ledger.append(tuple))
    apps[registration.app].diligence.tupleListed(at: now)
    emit(.feedbackAdded(apps[registration.app].key, tuple, isScripted: false))
  }

  @inline(__always)
  private mutating func setBadge(_ registration: UInt32, _ badge: Int32?) {
    if let badge {
      devices.setBadge(registration, badge)
    } else if configuration.badgeAbsent == .clear {
      devices.setBadge(registration, 0)
    }
  }

  /// A notification that waited has come to its end: the record says so if it is still there, the journal always.
  mutating func resolve(
    _ number: UInt64,
    _ outcome: Outcome,
    registration: UInt32,
    detail: UInt64 = 0
  ) {
    let known = devices.registrations[registration]
    resolve(number, outcome, device: devices.label(of: known.device), app: known.app, detail: detail)
  }

  /// - Parameters:
  ///   - device: what people call it.
  ///   - detail: the notification that replaced it, or 1 where it was its own expiry that ended it.
  mutating func resolve(
    _ number: UInt64,
    _ outcome: Outcome,
    device: DeviceLabel,
    app: UInt16,
    detail: UInt64 = 0
  ) {
    history.resolve(number, outcome, replacedBy: detail)
    tally.settle(outcome)
    if !waits.isEmpty { noteOutcome(of: number) }
    let app = apps[app].key
    emit(.outcome(outcome, notification: number, device: device, app: app, detail: detail))
  }
}

extension PayloadFacts {
  /// The badge that the payload sets, if it does; not negative.
  @inline(__always)
  var newBadge: Int32? { hasBadge ? Int32(clamping: max(0, badge)) : nil }
}
