/// What people, scenarios, tests and the API ask of a simulator.
public enum Command: Hashable, Sendable {
  /// Makes a device what the specification says, or adds it.
  case putDevice(DeviceSpecification)
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
}

/// Why a command could not be carried out. Nothing has changed then.
public enum CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownDevice(String)
  case appNotOnDevice(device: String, app: AppKey)
  case appTwice(device: String, app: AppKey)
  case tokenTaken(app: AppKey, device: String)
  case badToken(byteCount: Int)
  case emptyName
  case emptyTopic
  case tooManyDevices(limit: Int)
  case tooManyApps(limit: Int)
  case backwards(TimeSpan)

  public var description: String {
    switch self {
    case .unknownDevice(let name): "there is no device \"\(name)\" (a name, or a token in hex digits)"
    case .appNotOnDevice(let device, let app): "device \"\(device)\" does not have the app \(app)"
    case .appTwice(let device, let app): "device \"\(device)\" names the app \(app) twice"
    case .tokenTaken(let app, let device): "the token is device \"\(device)\"'s for \(app) already"
    case .badToken(let count): "a device token has 1 to 100 bytes, not \(count)"
    case .emptyName: "a device needs a name"
    case .emptyTopic: "an app needs a topic"
    case .tooManyDevices(let limit): "there are \(limit) devices already, the most that are kept"
    case .tooManyApps(let limit): "there are \(limit) apps already, the most that are kept"
    case .backwards(let span): "the clock can only be advanced, not by \(span)"
    }
  }
}
