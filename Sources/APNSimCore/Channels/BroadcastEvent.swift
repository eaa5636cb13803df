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
