package import APNSimWire

/// Something that happened to a channel.
package enum BroadcastEvent: Sendable {
  case created(AppKey, id: String, ChannelDescription.StoragePolicy)
  case deleted(AppKey, id: String)
  case subscribed(AppKey, id: String, device: String)
  case unsubscribed(AppKey, id: String, device: String)
  /// A broadcast was accepted: to so many subscribers, of whom so many have it.
  case published(AppKey, id: String, notification: UInt64, subscribers: Int, delivered: Int)
  /// A message that waited on a channel, and no device had, came to its end.
  case ended(Outcome, AppKey, id: String, notification: UInt64, detail: UInt64)
  /// An App ID got or lost the broadcast capability.
  case capability(bundleId: String, isOn: Bool)

  package var name: String {
    switch self {
    case .created: "channelCreated"
    case .deleted: "channelDeleted"
    case .subscribed: "channelSubscribed"
    case .unsubscribed: "channelUnsubscribed"
    case .published: "published"
    case .ended(let outcome, _, _, _, _): outcome.description
    case .capability: "broadcastChanged"
    }
  }

  package func writeMembers(to line: inout JSONWriter) {
    switch self {
    case .created(let app, let id, let policy):
      app.writeMembers(to: &line)
      line.member("channel", id)
      line.member("storagePolicy", policy.rawValue)
    case .deleted(let app, let id):
      app.writeMembers(to: &line)
      line.member("channel", id)
    case .subscribed(let app, let id, let device), .unsubscribed(let app, let id, let device):
      line.member("device", device)
      app.writeMembers(to: &line)
      line.member("channel", id)
    case .published(let app, let id, let number, let subscribers, let delivered):
      line.member("notification", "n\(number)")
      app.writeMembers(to: &line)
      line.member("channel", id)
      line.member("subscribers", subscribers)
      line.member("delivered", delivered)
    case .ended(let outcome, let app, let id, let number, let detail):
      line.member("notification", "n\(number)")
      app.writeMembers(to: &line)
      line.member("channel", id)
      if outcome == .replaced { line.member("by", "n\(detail)") }
      if outcome == .expired { line.member("because", detail == 1 ? "expiry" : "storagePeriod") }
    case .capability(let bundleId, let isOn):
      line.member("topic", bundleId)
      line.member("broadcast", isOn)
    }
  }
}

extension BroadcastEvent: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .created(let app, let id, let policy):
      state.write(raw: 0 as UInt8)
      app.write(to: &state)
      id.write(to: &state)
      policy.write(to: &state)
    case .deleted(let app, let id):
      state.write(raw: 1 as UInt8)
      app.write(to: &state)
      id.write(to: &state)
    case .subscribed(let app, let id, let device):
      state.write(raw: 2 as UInt8)
      app.write(to: &state)
      id.write(to: &state)
      device.write(to: &state)
    case .unsubscribed(let app, let id, let device):
      state.write(raw: 3 as UInt8)
      app.write(to: &state)
      id.write(to: &state)
      device.write(to: &state)
    case .published(let app, let id, let notification, let subscribers, let delivered):
      state.write(raw: 4 as UInt8)
      app.write(to: &state)
      id.write(to: &state)
      notification.write(to: &state)
      subscribers.write(to: &state)
      delivered.write(to: &state)
    case .ended(let outcome, let app, let id, let notification, let detail):
      state.write(raw: 5 as UInt8)
      outcome.write(to: &state)
      app.write(to: &state)
      id.write(to: &state)
      notification.write(to: &state)
      detail.write(to: &state)
    case .capability(let bundleId, let isOn):
      state.write(raw: 6 as UInt8)
      bundleId.write(to: &state)
      isOn.write(to: &state)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = try .created(state.read(), id: state.read(), state.read())
    case 1: self = try .deleted(state.read(), id: state.read())
    case 2: self = try .subscribed(state.read(), id: state.read(), device: state.read())
    case 3: self = try .unsubscribed(state.read(), id: state.read(), device: state.read())
    case 4:
      self = try .published(
        state.read(),
        id: state.read(),
        notification: state.read(),
        subscribers: state.read(),
        delivered: state.read()
      )
    case 5:
      self = try .ended(
        state.read(),
        state.read(),
        id: state.read(),
        notification: state.read(),
        detail: state.read()
      )
    case 6: self = try .capability(bundleId: state.read(), isOn: state.read())
    case let tag: throw state.error("an event of a channel was expected, and tag \(tag) found")
    }
  }
}
