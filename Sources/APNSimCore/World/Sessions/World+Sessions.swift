import APNSimWire

/// Devices that are connected, and what they are told: being connected is being online.
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
    if let device { goOffline(device) }
  }

  /// Ends a connection with a line that says why.
  mutating func refuse(_ session: DeviceSession, with line: [UInt8]) {
    guard !session.isEnding else { return }
    end(session, with: line)
    if let device = release(session) { goOffline(device) }
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
    if let device = release(session) { goOffline(device) }
  }

  /// A device is offline from here on.
  mutating func goOffline(_ device: UInt32) {
    guard devices.devices[device].isOnline else { return }
    endSession(of: device, .offline)
    devices.setOnline(device, false)
    emit(.deviceOffline(name: devices.name(of: device)))
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

  private func hasRoom(_ session: DeviceSession) -> Bool {
    session.queuedBytes < configuration.limits.deviceQueueBytes
  }

  /// The device does not read: it is offline from here on, and what comes next is stored.
  private mutating func dropSlow(_ device: UInt32) {
    endSession(of: device, .tooSlow)
    goOffline(device)
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
