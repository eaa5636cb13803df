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

extension ActivityEvent: KeptByCases {
  enum Tag: UInt8, CaseIterable { case started, updated, ended, ignored }

  func write(to state: inout StateWriter) {
    switch self {
    case .started(let number, let device, let app, let type, let notification, let token, let channel):
      state.write(Tag.started, number, device, app, type, notification, token, channel)
    case .updated(let number, let device, let notification):
      state.write(Tag.updated, number, device, notification)
    case .ended(let number, let device, let notification):
      state.write(Tag.ended, number, device, notification)
    case .ignored(let device, let notification, let reason):
      state.write(Tag.ignored, device, notification, reason)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .started: try state.read(Self.started)
      case .updated: try state.read(Self.updated)
      case .ended: try state.read(Self.ended)
      case .ignored: try state.read(Self.ignored)
      }
  }
}
