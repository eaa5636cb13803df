import APNSimCore
import APNSimWire

/// `channels:`, broadcast channels that exist from the start: `{ app: com.example.app, subscribers: [alice] }`.
enum ChannelsSection: ScenarioSection {
  static let row = Noun.Row(
    "channels",
    .list(.mapping(noun)),
    "The broadcast channels that exist from the start."
  )
  static let noun = Noun(
    "channel",
    "a channel",
    "A broadcast channel of an app.",
    rows: AppReference.rows + [
      Noun.Row("id", .form(.channel), "Its identifier; the simulator makes one where none is given."),
      Noun.Row(
        "storagePolicy",
        .integer(0...1),
        "1, which is meant where nothing is said, stores the latest message, 0 none."
      ),
      Noun.Row("subscribers", .list(.device), "The devices that have subscribed; each has the app."),
    ]
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    let items = value.list("a list, such as [{ app: com.example.app, subscribers: [alice] }]") ?? []
    for item in items {
      guard let channel = channel(item, &draft) else { continue }
      draft.scenario.channels.append(channel)
    }
  }

  /// Reads one entry; nil after reporting a problem.
  static func channel(_ item: Value, _ draft: inout ScenarioDraft) -> ChannelSpecification? {
    guard let fields = Fields(item, of: noun) else { return nil }
    guard let app = AppReference.read(fields, onDevice: nil, draft) else { return nil }
    var channel = ChannelSpecification(app: AppReference.bundle(of: app, in: fields))
    if draft.scenario.silentApps.contains(where: { $0.isExactly(channel.app.topic) }) {
      fields["app"]?.report("the app \"\(channel.app.topic)\" says broadcast: false")
    }
    channel.storagePolicy = fields["storagePolicy"].flatMap { policy($0) } ?? .mostRecent
    if let value = fields["id"], let id = identifier(value) {
      channel.id = id
      if let line = draft.channels[id]?[channel.app] {
        value.report("the app has this channel already (line \(line.line))")
      }
      draft.channels[id, default: [:]][channel.app] = value.location
    }
    for value in fields["subscribers"].flatMap({ $0.list("a list of devices, such as [alice]") }) ?? [] {
      if let name = subscriber(value, of: channel.app, draft) { channel.subscribers.append(name) }
    }
    return channel
  }

  /// 0 or 1, as Apple counts them.
  static func policy(_ value: Value) -> ChannelDescription.StoragePolicy? {
    value.integer("the storage policy: 0 (no message) or 1 (the most recent one)", 0...1)
      .flatMap { ChannelDescription.StoragePolicy(rawValue: $0) }
  }

  /// A channel's identifier in Base64.
  static func identifier(_ value: Value) -> String? {
    let expected = "a channel's identifier in Base64, such as tvI2UK0vEfEAAA6GFnjo2Q=="
    guard let id = value.text(expected) else { return nil }
    guard value.accepts(ChannelSpecification.isIdentifier(id)) else {
      value.mismatch(expected)
      return nil
    }
    return id
  }

  /// A device of the file that has the app.
  private static func subscriber(_ value: Value, of app: AppKey, _ draft: ScenarioDraft) -> String? {
    guard let name = value.text("the name of a device"), draft.noteDevice(value) else { return nil }
    if let device = draft.devices[ExactText(name)], !device.apps.contains(where: { app.includes($0.app) }) {
      value.report("\"\(name)\" does not have the app \(app)")
      return nil
    }
    return name
  }

  /// The channel of an action: its identifier, or `{ channel, app }`.
  static func reference(_ fields: Fields, _ draft: ScenarioDraft) -> ChannelReference? {
    guard let value = fields.require("channel"), let id = known(value, draft) else { return nil }
    guard fields["app"] != nil else {
      fields["environment"]?.report("\"environment\" requires \"app\"")
      return ChannelReference(id: id)
    }
    return AppReference.read(fields, onDevice: nil, draft).map { ChannelReference(id: id, app: $0) }
  }

  /// The identifier of a channel that the file has.
  static func known(_ value: Value, _ draft: ScenarioDraft) -> String? {
    guard let id = identifier(value) else { return nil }
    guard value.accepts(draft.channels[id] != nil) else {
      value.report(
        "no channel of this file has the id \"\(id)\"",
        suggestion: NearestName.find(id, among: draft.channels.keys.sorted())
      )
      return nil
    }
    return id
  }
}

/// Reads the commands about channels that a timeline has.
enum ChannelCommands {
  static let deletionKind = ValueKind.either([.form(.channel), .mapping(deletionNoun)])
  private static let deletionNoun = Noun(
    "channelDeletion",
    "a channel to delete",
    "A channel to delete.",
    rows: [channelRow] + appRows,
    terms: [.with("environment", "app")]
  )
  static let subscriptionNoun = Noun(
    "subscription",
    "a subscription",
    "A device's subscription to a channel.",
    rows: [Noun.Row("device", .device, "The device.", .required), channelRow] + appRows,
    terms: [.with("environment", "app")]
  )
  static let capabilityNoun = Noun(
    "broadcastCapability",
    "a change of the capability",
    "Gives an App ID the broadcast capability, or takes it away.",
    rows: [
      Noun.Row("app", .topic, "The app, by its bundle ID.", .required),
      Noun.Row("broadcast", .flag, "Whether it has the capability.", .required),
    ]
  )
  private static let channelRow = Noun.Row("channel", .form(.channel), "The channel's identifier.", .required)
  private static let appRows = AppReference.rows("The channel's app, where two apps have the identifier.")

  /// `"tvI2UK0vEfEAAA6GFnjo2Q=="`, or `{ channel: …, app: … }`.
  static func deletion(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    if value.scalar != nil {
      return ChannelsSection.known(value, draft).map { .deleteChannel(ChannelReference(id: $0)) }
    }
    guard let fields = Fields(value, of: deletionNoun) else { return nil }
    return ChannelsSection.reference(fields, draft).map { .deleteChannel($0) }
  }

  /// `{ device: bob, channel: … }`.
  static func subscription(_ value: Value, _ isSubscribed: Bool, _ draft: ScenarioDraft) -> Command? {
    guard let fields = Fields(value, of: subscriptionNoun) else { return nil }
    guard let device = fields.require("device"), let name = device.text("the name of a device"),
      draft.noteDevice(device), let reference = ChannelsSection.reference(fields, draft)
    else { return nil }
    return .setSubscribed(device: name, reference, isSubscribed)
  }

  /// `{ app: com.example.app, broadcast: false }`.
  static func capability(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    guard let fields = Fields(value, of: capabilityNoun),
      let app = fields.require("app"), let topic = app.topic(),
      app.accepts(draft.environments(of: topic, at: app) != nil),
      let isOn = fields.require("broadcast")?.flag("broadcast")
    else { return nil }
    return .setBroadcast(bundleId: topic, isOn)
  }
}
