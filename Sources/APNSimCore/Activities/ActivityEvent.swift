package import APNSimWire

/// Something that happened to a Live Activity by a push to a token, or on its device.
package enum ActivityEvent: Sendable {
  case started(
    UInt64,
    device: String,
    AppKey,
    type: String?,
    notification: UInt64,
    token: [UInt8]?,
    channel: String?
  )
  case updated(UInt64, device: String, notification: UInt64)
  case ended(UInt64, device: String, notification: UInt64)
  /// A push showed nothing.
  case ignored(device: String?, notification: UInt64, reason: String)

  package var name: String {
    switch self {
    case .started: "activityStarted"
    case .updated: "activityUpdated"
    case .ended: "activityEnded"
    case .ignored: "activityIgnored"
    }
  }

  /// Bytes it carries beside its facts.
  var byteCount: Int {
    switch self {
    case .started(_, _, _, let type, _, let token, _): 64 + (type?.utf8.count ?? 0) + (token?.count ?? 0)
    case .updated, .ended: 0
    case .ignored(_, _, let reason): reason.utf8.count
    }
  }

  package func writeMembers(to line: inout JSONWriter) {
    switch self {
    case .started(let number, let device, let app, let type, let notification, let token, let channel):
      line.member("activity", "a\(number)")
      if notification > 0 { line.member("notification", "n\(notification)") }
      line.member("device", device)
      app.writeMembers(to: &line)
      if let type { line.member("attributesType", type) }
      if let token { line.member("token", hex: token) }
      if let channel { line.member("channel", channel) }
    case .updated(let number, let device, let notification), .ended(let number, let device, let notification):
      line.member("activity", "a\(number)")
      line.member("notification", "n\(notification)")
      line.member("device", device)
    case .ignored(let device, let notification, let reason):
      line.member("notification", "n\(notification)")
      if let device { line.member("device", device) }
      line.member("reason", reason)
    }
  }
}

extension ActivityEvent: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .started(let number, let device, let app, let type, let notification, let token, let channel):
      state.write(raw: 0 as UInt8)
      number.write(to: &state)
      device.write(to: &state)
      app.write(to: &state)
      type.write(to: &state)
      notification.write(to: &state)
      token.write(to: &state)
      channel.write(to: &state)
    case .updated(let number, let device, let notification):
      state.write(raw: 1 as UInt8)
      number.write(to: &state)
      device.write(to: &state)
      notification.write(to: &state)
    case .ended(let number, let device, let notification):
      state.write(raw: 2 as UInt8)
      number.write(to: &state)
      device.write(to: &state)
      notification.write(to: &state)
    case .ignored(let device, let notification, let reason):
      state.write(raw: 3 as UInt8)
      device.write(to: &state)
      notification.write(to: &state)
      reason.write(to: &state)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0:
      self = try .started(
        state.read(),
        device: state.read(),
        state.read(),
        type: state.read(),
        notification: state.read(),
        token: state.read(),
        channel: state.read()
      )
    case 1: self = try .updated(state.read(), device: state.read(), notification: state.read())
    case 2: self = try .ended(state.read(), device: state.read(), notification: state.read())
    case 3: self = try .ignored(device: state.read(), notification: state.read(), reason: state.read())
    case let tag: throw state.error("an event of a Live Activity was expected, and tag \(tag) found")
    }
  }
}
