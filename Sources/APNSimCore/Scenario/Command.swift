package import APNSimWire

/// A change that people, scenarios, tests and the API ask of a simulator.
public enum Command: Hashable, Sendable {
  /// Makes a device what the specification says, or adds it.
  case putDevice(DeviceSpecification)
  /// Changes what is named of a device and leaves the rest, whatever else has changed before.
  case changeDevice(DeviceChange)
  case removeDevice(String)
  case setOnline(device: String, Bool)
  /// Installs or removes an app on a device; nil means all its apps.
  case setInstalled(device: String, app: AppKey?, Bool)
  /// Gives an app of a device another token, or all that are installed; the ones before are dead.
  case rotateTokens(device: String, app: AppKey?)
  case addFeedback(FeedbackSpecification)
  /// Empties the feedback list of one app, or all.
  case clearFeedback(AppKey?)
  case advanceClock(TimeSpan)
  case setClock(Timestamp)
  case freezeClock
  case resumeClock
  /// Forgets notifications, deliveries and events; devices stay as they are.
  case clearHistory
  /// Takes an app off a device with its token and what is stored: the opposite of naming it in `putDevice`.
  case removeApp(device: String, AppKey)
  /// Puts a rule before all others.
  case addRule(Rule)
  /// By its id (`r1`) or its name.
  case removeRule(String)
  case clearRules
  case addChannel(ChannelSpecification)
  case deleteChannel(ChannelReference)
  /// Subscribes a device's app to a channel, or ends that.
  case setSubscribed(device: String, ChannelReference, Bool)
  /// Gives an App ID the broadcast capability, or takes it away with its channels.
  case setBroadcast(bundleId: String, Bool)
  /// Lets an app start a Live Activity by itself.
  case startActivity(ActivitySpecification)
  /// Ends an open connection of a provider or a device.
  case endConnection(ConnectionID, KillMode)
  /// Back to the state just after start, or after the last scenario that began. Connections of providers stay open, and
  /// numbers go on counting.
  case reset
  /// The same, into another scenario; its settings go on top of those of the start.
  case replaceScenario(Scenario)
}

extension Command {
  /// Writes the command as a timeline's `do` has it: `{"device.online":"bob"}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(name.rawValue)
    switch self {
    case .putDevice(let device):
      writer.beginObject()
      writer.key(device.name)
      device.write(to: &writer)
      writer.endObject()
    case .changeDevice(let change): change.write(to: &writer)
    case .removeDevice(let name), .removeRule(let name), .setOnline(let name, _),
      .setInstalled(let name, app: nil, _), .rotateTokens(let name, app: nil):
      writer.string(name)
    case .setInstalled(let device, let app?, _), .rotateTokens(let device, let app?),
      .removeApp(let device, let app):
      writer.beginObject()
      writer.member("device", device)
      app.writeReference(to: &writer)
      writer.endObject()
    case .addFeedback(let specification): specification.write(to: &writer)
    case .clearFeedback(nil): writer.string("all")
    case .clearFeedback(let app?):
      writer.beginObject()
      app.writeReference(to: &writer)
      writer.endObject()
    case .advanceClock(let span): writer.string(span.description)
    case .setClock(let moment): writer.string(moment.description)
    case .addRule(let rule): rule.write(to: &writer)
    case .addChannel(let channel): channel.write(to: &writer)
    case .deleteChannel(let reference): reference.write(to: &writer)
    case .setSubscribed(let device, let reference, _): reference.write(device: device, to: &writer)
    case .startActivity(let activity): activity.write(to: &writer)
    case .setBroadcast(let bundleId, let isOn):
      writer.beginObject()
      writer.member("app", bundleId)
      writer.member("broadcast", isOn)
      writer.endObject()
    case .endConnection(let id, let how):
      writer.beginObject()
      writer.member("connection", id.description)
      writer.member("mode", how.rawValue)
      writer.endObject()
    case .replaceScenario(let scenario): scenario.write(to: &writer)
    case .freezeClock, .resumeClock, .clearHistory, .clearRules, .reset: writer.bool(true)
    }
    writer.endObject()
  }
}
