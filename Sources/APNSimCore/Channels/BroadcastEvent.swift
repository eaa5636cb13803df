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

extension BroadcastEvent: KeptByCases {
  enum Tag: UInt8, CaseIterable {
    case created, deleted, subscribed, unsubscribed, published, ended, capability
  }

  func write(to state: inout StateWriter) {
    switch self {
    case .created(let app, let id, let policy): state.write(Tag.created, app, id, policy)
    case .deleted(let app, let id): state.write(Tag.deleted, app, id)
    case .subscribed(let app, let id, let device): state.write(Tag.subscribed, app, id, device)
    case .unsubscribed(let app, let id, let device): state.write(Tag.unsubscribed, app, id, device)
    case .published(let app, let id, let notification, let subscribers, let delivered):
      state.write(Tag.published, app, id, notification, subscribers, delivered)
    case .ended(let outcome, let app, let id, let notification, let detail):
      state.write(Tag.ended, outcome, app, id, notification, detail)
    case .capability(let bundleId, let isOn): state.write(Tag.capability, bundleId, isOn)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .created: try state.read(Self.created)
      case .deleted: try state.read(Self.deleted)
      case .subscribed: try state.read(Self.subscribed)
      case .unsubscribed: try state.read(Self.unsubscribed)
      case .published: try state.read(Self.published)
      case .ended: try state.read(Self.ended)
      case .capability: try state.read(Self.capability)
      }
  }
}
