/// The reason why a command could not be carried out. Nothing has changed then.
public enum CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownDevice(String)
  case appNotOnDevice(device: String, app: AppKey)
  case appTwice(device: String, app: AppKey)
  case tokenTaken(app: AppKey, device: String)
  case tokenForNoApp(device: String)
  case tooManyAppsOnDevice(device: String, count: Int, limit: Int)
  case badToken(byteCount: Int, limit: Int)
  case emptyName
  case nameTaken(String)
  case emptyTopic
  case tooManyDevices(limit: Int)
  case tooManyApps(limit: Int)
  case tooManyTuples(limit: Int)
  case backwards(TimeSpan)
  case tooManyRules(limit: Int)
  case unknownRule(String)
  case unknownConnection(ConnectionID)
  case unknownChannel(String)
  case ambiguousChannel(String)
  case channelTaken(String)
  case badChannel(String)
  case tooManyChannels(AppKey, limit: Int)
  case tooManySubscriptions(limit: Int)
  case tooManyActivities(limit: Int)
  case activityTokenTaken
  /// The App ID does not have the broadcast capability.
  case noBroadcast(String)
  /// A setting of a scenario, with what was expected and found.
  case badSetting(String)
  /// Nothing can be kept at present, and so nothing is taken in.
  case suspended

  public var description: String {
    switch self {
    case .unknownDevice(let name): "there is no device \"\(name)\" (a name, or a token in hex digits)"
    case .appNotOnDevice(let device, let app): "device \"\(device)\" does not have the app \(app)"
    case .appTwice(let device, let app): "device \"\(device)\" names the app \(app) twice"
    case .tokenTaken(let app, let device): "the token is device \"\(device)\"'s for \(app) already"
    case .tokenForNoApp(let device): "the token stands for no app: device \"\(device)\" has none"
    case .tooManyAppsOnDevice(let device, let count, let limit):
      "device \"\(device)\" would have \(count) apps; a device has \(limit) at most"
    case .badToken(let count, let limit):
      "a device token has 1 to \(limit) bytes, not \(count)"
    case .emptyName: "a device needs a name"
    case .nameTaken(let name):
      "the device gets its token as its name, and another is named \"\(name)\" already"
    case .emptyTopic: "an app needs a topic"
    case .tooManyDevices(let limit): "there are \(limit) devices already, the most that are kept"
    case .tooManyApps(let limit): "there are \(limit) apps already, the most that are kept"
    case .tooManyTuples(let limit):
      "there are \(limit) tuples already whose time has not come, the most that are kept"
    case .backwards(let span): "the clock can only be advanced, not by \(span)"
    case .tooManyRules(let limit):
      "there have been \(limit) rules since the last reset, the most that are told apart"
    case .unknownRule(let name): "there is no rule \"\(name)\" (an id such as r1, or a name)"
    case .unknownConnection(let id): "there is no open connection \(id)"
    case .unknownChannel(let id): "there is no channel \"\(id)\""
    case .ambiguousChannel(let id): "several apps have a channel \"\(id)\": name the app as well"
    case .channelTaken(let id): "the app has a channel \"\(id)\" already"
    case .badChannel(let id):
      "a channel's identifier is Base64 of up to 64 characters, not \"\(id)\""
    case .tooManyChannels(let app, let limit): "\(app) has \(limit) channels at most, and so many are there"
    case .tooManySubscriptions(let limit):
      "an app on a device has \(limit) subscriptions at most, and so many are there"
    case .tooManyActivities(let limit): "there are \(limit) activities already, or the bytes of that many"
    case .activityTokenTaken: "the token is another activity's of the app already"
    case .noBroadcast(let bundleId): "the app \(bundleId) does not have the broadcast capability"
    case .badSetting(let text): text
    case .suspended: "the state finds no room on its disk, and nothing is taken in that is not kept"
    }
  }
}
