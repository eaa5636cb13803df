/// What people, scenarios, tests and the API ask of a simulator.
public enum Command: Hashable, Sendable {
  /// Makes a device what the specification says, or adds it.
  case putDevice(DeviceSpecification)
  /// Changes what is named of a device and leaves the rest, whatever else has changed before.
  case changeDevice(DeviceChange)
  case removeDevice(String)
  case setOnline(device: String, Bool)
  /// Installs or removes an app on a device; nil means all its apps.
  case setInstalled(device: String, app: AppKey?, Bool)
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
  /// Ends an open connection of a provider or a device.
  case endConnection(ConnectionID, ConnectionEnding)
  /// Back to the state just after start, or after the last scenario that began. Connections of providers stay open, and
  /// numbers go on counting.
  case reset
  /// The same, into another scenario; its settings go on top of those of the start.
  case replaceScenario(Scenario)
}
