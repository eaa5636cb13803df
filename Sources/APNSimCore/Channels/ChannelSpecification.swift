package import APNSimWire

/// A broadcast channel to create: what a scenario's `channels` entry and `POST /channels` say.
public struct ChannelSpecification: Hashable, Sendable {
  /// The app, by its bundle ID.
  public var app: AppKey
  /// Its identifier in Base64; nil asks the simulator to make one.
  public var id: String?
  package var storagePolicy: ChannelDescription.StoragePolicy
  /// The names of devices that are subscribed from the start.
  public var subscribers: [String]

  package init(
    app: AppKey,
    id: String? = nil,
    storagePolicy: ChannelDescription.StoragePolicy = .mostRecent,
    subscribers: [String] = []
  ) {
    (self.app, self.id, self.storagePolicy, self.subscribers) = (app, id, storagePolicy, subscribers)
  }

  /// True for Base64 of a length that an identifier can have.
  package static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= RequestJudge.channelIdLimit && Base64.decode(text) != nil
  }
}

/// A channel that somebody names: by its identifier, with its app where two apps have it.
public struct ChannelReference: Hashable, Sendable {
  public var id: String
  public var app: AppKey?

  public init(id: String, app: AppKey? = nil) { (self.id, self.app) = (id, app) }
}

extension ChannelSpecification {
  /// As an entry of `channels`: `{"app":"com.example.app","environment":"production","storagePolicy":1,…}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    app.writeChannelApp(to: &writer)
    if let id { writer.member("id", id) }
    writer.member("storagePolicy", storagePolicy.rawValue)
    if !subscribers.isEmpty { writer.member("subscribers", subscribers) }
    writer.endObject()
  }

  /// About as many bytes as it takes.
  var byteCount: Int { subscribers.reduce(256) { $0 + 16 + $1.utf8.count } }
}

extension ChannelReference {
  /// `{"channel":"…","app":"com.example.app","environment":"production"}`, with `device` where one is named.
  package func write(device: String? = nil, to writer: inout JSONWriter) {
    writer.beginObject()
    if let device { writer.member("device", device) }
    writer.member("channel", id)
    app?.writeChannelApp(to: &writer)
    writer.endObject()
  }
}

extension AppKey {
  fileprivate func writeChannelApp(to writer: inout JSONWriter) {
    writer.member("app", topic)
    writer.member("environment", environment.rawValue)
  }
}
