/// A device to add or change: what a scenario's `devices` entry and `PUT /devices/{name}` say.
public struct DeviceSpecification: Hashable, Sendable {
  public var name: String
  public var isOnline: Bool
  public var apps: [AppSpecification]
  /// The languages its user prefers, best first, as `fr` or `pt-BR`; empty leaves the choice to each app.
  public var languages: [String]

  public init(
    name: String,
    isOnline: Bool = true,
    apps: [AppSpecification] = [],
    languages: [String] = []
  ) {
    self.name = name
    self.isOnline = isOnline
    self.apps = apps
    self.languages = languages
  }
}

/// One app on a device.
public struct AppSpecification: Hashable, Sendable {
  public var app: AppKey
  /// The device token, 1 to 100 bytes; nil asks the simulator to issue one.
  public var token: [UInt8]?
  /// False: the app was removed, the device refuses its notifications and the feedback service lists it.
  public var isInstalled: Bool

  public init(app: AppKey, token: [UInt8]? = nil, isInstalled: Bool = true) {
    self.app = app
    self.token = token
    self.isInstalled = isInstalled
  }
}

/// One scripted feedback tuple.
public struct FeedbackSpecification: Hashable, Sendable {
  /// Whose token the tuple carries.
  public enum Subject: Hashable, Sendable {
    /// The token that this device has for the app.
    case device(String)
    /// Any token of 1 to 65,535 bytes, registered or not.
    case token([UInt8])
  }

  /// When the tuple says the app was found missing, and when it is in the list.
  public enum Moment: Hashable, Sendable {
    /// Listed from the start, with this timestamp.
    case at(Timestamp)
    /// Listed once this much simulated time has passed since the start, with that moment as its timestamp.
    case after(TimeSpan)
  }

  public var subject: Subject
  public var app: AppKey
  public var moment: Moment

  public init(subject: Subject, app: AppKey, moment: Moment) {
    self.subject = subject
    self.app = app
    self.moment = moment
  }
}
