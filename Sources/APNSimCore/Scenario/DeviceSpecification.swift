package import APNSimWire

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
  /// When the token expires, as that of a Live Activity does; nil is never.
  package var expires: TokenLife?

  public init(app: AppKey, token: [UInt8]? = nil, isInstalled: Bool = true) {
    self.app = app
    self.token = token
    self.isInstalled = isInstalled
  }
}

/// The time for which a device token is good.
package enum TokenLife: Hashable, Sendable, CustomStringConvertible {
  case at(Timestamp)
  /// A span of simulated time after its device gets it.
  case after(TimeSpan)

  /// `2012-06-01T08:00:00Z`, `8h`; nil for any other text.
  package init?(_ text: String) {
    if let span = TimeSpan(text) {
      self = .after(span)
    } else if let moment = Timestamp(text) {
      self = .at(moment)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .at(let moment): moment.description
    case .after(let span): span.description
    }
  }
}

/// One scripted feedback tuple.
public struct FeedbackSpecification: Hashable, Sendable {
  /// The owner of the token that the tuple carries.
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

extension DeviceView {
  /// The device as it is, to be put again.
  var specification: DeviceSpecification {
    DeviceSpecification(
      name: name,
      isOnline: isOnline,
      apps: apps.map { app in
        var specification = AppSpecification(app: app.app, token: app.token, isInstalled: app.isInstalled)
        specification.expires = app.expires.map { .at($0) }
        return specification
      },
      languages: languages
    )
  }
}

extension DeviceSpecification {
  /// As under a device's name in `devices`: `{"online":true,"apps":[{"topic":"com.example.app",…}]}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("online", isOnline)
    writer.key("apps")
    apps.write(to: &writer)
    if !languages.isEmpty {
      writer.member("languages", languages)
    }
    writer.endObject()
  }
}

extension [AppSpecification] {
  /// As a device's `apps`.
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for app in self {
      writer.beginObject()
      app.app.writeMembers(to: &writer)
      if let token = app.token {
        writer.member("token", hex: token)
      }
      writer.member("installed", app.isInstalled)
      if let expires = app.expires { writer.member("expires", expires.description) }
      writer.endObject()
    }
    writer.endArray()
  }
}

extension FeedbackSpecification {
  /// As an entry of `feedback`: `{"device":"alice","app":"com.example.app","environment":"production","after":"1h"}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch subject {
    case .device(let name):
      writer.member("device", name)
    case .token(let token):
      writer.member("token", hex: token)
    }
    app.writeReference(to: &writer)
    switch moment {
    case .at(let moment):
      writer.member("at", moment.description)
    case .after(let span):
      writer.member("after", span.description)
    }
    writer.endObject()
  }
}

extension AppKey {
  /// `"app":"com.example.app","environment":"production"`, in an object that the caller has begun.
  func writeReference(to writer: inout JSONWriter) {
    writer.member("app", topic)
    writer.member("environment", environment.rawValue)
  }
}
