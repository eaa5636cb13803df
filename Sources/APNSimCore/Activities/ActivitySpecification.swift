package import APNSimWire

/// A Live Activity that an app starts on its device, without a push.
public struct ActivitySpecification: Hashable, Sendable {
  public var device: String
  /// The app, by its bundle ID.
  public var app: AppKey
  public var attributesType: String
  /// The token that it is updated by, 1 to 100 bytes; nil has one made, unless there is a channel.
  public var token: [UInt8]?
  /// The identifier of the channel that it is updated by.
  public var channel: String?
  /// Objects, as JSON; empty where nothing is said.
  package var attributes: [UInt8]
  package var contentState: [UInt8]

  package init(
    device: String,
    app: AppKey,
    attributesType: String,
    token: [UInt8]? = nil,
    channel: String? = nil,
    attributes: [UInt8] = [],
    contentState: [UInt8] = []
  ) {
    (self.device, self.app, self.attributesType) = (device, app, attributesType)
    (self.token, self.channel) = (token, channel)
    (self.attributes, self.contentState) = (attributes, contentState)
  }

  /// The most bytes of attributes and content state together (DOC, 4 KB).
  package static let mostBytes = 4096
}

extension ActivitySpecification {
  /// As an entry of `activities`: `{"device":"alice","app":"com.example.app","environment":"production",…}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("device", device)
    writer.member("app", app.topic)
    writer.member("environment", app.environment.rawValue)
    writer.member("attributesType", attributesType)
    if let token { writer.member("token", hex: token) }
    if let channel { writer.member("channel", channel) }
    for (name, json) in [("attributes", attributes), ("contentState", contentState)] where !json.isEmpty {
      writer.key(name)
      writer.raw(json)
    }
    writer.endObject()
  }

  /// About as many bytes as it takes.
  var byteCount: Int { 256 + device.utf8.count + attributes.count + contentState.count }
}
