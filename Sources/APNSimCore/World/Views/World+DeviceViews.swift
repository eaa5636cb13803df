import APNSimWire

/// Views of devices, their inboxes and their stores.
extension World {
  func view(ofDevice device: UInt32) -> DeviceView {
    let apps = devices.registrations(of: device).reversed().map { index in
      let registration = devices.registrations[index]
      return DeviceView.AppView(
        app: self.apps[registration.app].key,
        token: devices.token(of: index),
        isInstalled: registration.flags.contains(.installed),
        isIssued: registration.flags.contains(.issued),
        badge: registration.badge,
        registeredAt: registration.registeredAt,
        expires: devices.expiration(of: index),
        stored: registration.stored == 0 ? nil : store.number(registration.stored)
      )
    }
    return DeviceView(
      name: devices.name(of: device),
      reference: reference(to: device),
      isOnline: devices.devices[device].isOnline,
      apps: Array(apps),
      languages: devices.languages(of: device),
      connection: sessions.session(of: device)?.id
    )
  }

  /// One of the notifications that were delivered to a device, as it arrived.
  /// - Parameter screen: its place on the screen.
  func notification(_ delivery: Delivery, _ screen: DeviceNotification.ScreenPlace) -> DeviceNotification {
    let record = history.deliveries[delivery.ordinal]
    var found = notification(
      record.notification,
      payload: history.payload(of: record),
      identifier: record.identifier,
      registration: delivery.registration,
      at: record.time
    )
    (found.origin, found.screen) = (origin(of: record.notification), screen)
    return found
  }

  /// The way in which a notification came, as far as the history has it.
  private func origin(of number: UInt64) -> DeviceNotification.Origin {
    var origin = DeviceNotification.Origin()
    guard history.notifications.contains(number) else { return origin }
    let record = history.notifications[number]
    origin.interface = record.interface.name
    origin.priority = record.fields.hasPriority ? record.fields.priority : 10
    guard case .http2 = record.interface, let evidence = RequestEvidence(history.evidence(of: record)) else {
      return origin
    }
    let request = evidence.request
    origin.apnsId = evidence.messageId(of: request)
    origin.pushType = evidence.text(of: request.pushTypeText)
    origin.collapseId = evidence.text(of: request.collapseId)
    return origin
  }

  /// The deliveries to a device, oldest first, as far as the history reaches.
  /// - Parameter ordinal: only what was delivered after that one.
  /// - Returns: those that are kept, and how many deliveries have made room for later ones up to the last of them that
  ///   was to this device; 0 where none was.
  func deliveries(to device: UInt32, after ordinal: UInt64 = 0) -> (kept: [Delivery], missed: UInt64) {
    var (kept, missed): ([Delivery], UInt64) = ([], 0)
    for index in devices.registrations(of: device) {
      var next = devices.registrations[index].lastDelivery
      while next > ordinal, history.deliveries.contains(next) {
        kept.append(Delivery(ordinal: next, registration: index))
        next = history.deliveries[next].previous
      }
      missed = max(missed, history.missingDeliveries(after: ordinal, through: next))
    }
    return (kept.sorted { $0.ordinal < $1.ordinal }, missed)
  }

  /// The one notification that waits for each app of a device.
  func stored(for device: UInt32) -> [DeviceNotification] {
    devices.registrations(of: device).reversed().flatMap { index in
      let last = devices.registrations[index].stored
      let handles = store.collapsed[index].map(\.handle) + (last == 0 ? [] : [last])
      return stored(handles, for: index)
    }
  }

  /// The notifications that wait for one app, in the order in which they came.
  private func stored(_ handles: [UInt32], for index: UInt32) -> [DeviceNotification] {
    var waiting: [DeviceNotification] = []
    for handle in handles {
      let facts = store.facts(handle)
      var found = notification(
        facts.number,
        payload: store.payload(handle),
        identifier: facts.identifier,
        registration: index,
        at: facts.since
      )
      (found.origin, found.deadline) = (origin(of: facts.number), facts.deadline)
      waiting.append(found)
    }
    return waiting.sorted { $0.number < $1.number }
  }

  func notification(
    _ number: UInt64,
    payload: UnsafeRawBufferPointer,
    identifier: NotificationIdentifier?,
    registration: UInt32,
    at time: Timestamp
  ) -> DeviceNotification {
    DeviceNotification(
      number: number,
      app: apps[devices.registrations[registration].app].key,
      time: time,
      payload: Array(payload),
      identifier: identifier?.rawValue,
      deadline: nil
    )
  }
}
