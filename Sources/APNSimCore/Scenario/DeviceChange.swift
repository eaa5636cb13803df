import APNSimWire

/// A change of a device, all of it at one moment; what is nil stays as it is then. A device that
/// was made on first sight gets the token it is called by as its name, where more than its state becomes different.
public struct DeviceChange: Hashable, Sendable {
  /// Its name, or a token of it in hex digits.
  public var device: String
  public var isOnline: Bool?
  public var apps: Apps?
  public var languages: [String]?

  public init(device: String, isOnline: Bool? = nil, apps: Apps? = nil, languages: [String]? = nil) {
    self.device = device
    self.isOnline = isOnline
    self.apps = apps
    self.languages = languages
  }

  public enum Apps: Hashable, Sendable {
    /// These in place of those it has.
    case exactly([AppSpecification])
    /// All that it has.
    case every(AppState)
    /// One app, in the environment that is named or in all that the device has it in. Installing one that it does not
    /// have gives it to the device, in production where no environment is named.
    case one(topic: String, environment: PushEnvironment?, AppState)
  }

  /// The change of an app.
  public struct AppState: Hashable, Sendable {
    public var token: TokenSource?
    public var isInstalled: Bool?

    public init(token: TokenSource? = nil, isInstalled: Bool? = nil) {
      self.token = token
      self.isInstalled = isInstalled
    }
  }
}

/// The origin of the token of an app on a device.
public enum TokenSource: Hashable, Sendable {
  case given([UInt8])
  case issued

  package var bytes: [UInt8]? {
    guard case .given(let bytes) = self else { return nil }
    return bytes
  }
}

extension DeviceSpecification {
  /// Makes a device as it is what a change says.
  mutating func apply(_ change: DeviceChange) throws(CommandError) {
    if let apps = change.apps { try apply(apps) }
    isOnline = change.isOnline ?? isOnline
    languages = change.languages ?? languages
  }

  private mutating func apply(_ change: DeviceChange.Apps) throws(CommandError) {
    switch change {
    case .exactly(let wanted): apps = wanted
    case .every(let state):
      if apps.isEmpty, state.token != nil { throw .tokenForNoApp(device: name) }
      for index in apps.indices { apps[index].apply(state) }
    case .one(let topic, let environment, let state):
      let known = apps.indices.filter { index in
        apps[index].app.topic.isExactly(topic)
          && environment ?? apps[index].app.environment == apps[index].app.environment
      }
      for index in known { apps[index].apply(state) }
      guard known.isEmpty else { return }
      let app = AppKey(topic: topic, environment: environment ?? .production)
      guard state.isInstalled == true else { throw .appNotOnDevice(device: name, app: app) }
      apps.append(AppSpecification(app: app, token: state.token?.bytes))
    }
  }

  /// True if a device that has these apps under these tokens, and these languages, differs in its state only.
  func differsInStateOnly(from other: DeviceSpecification) -> Bool {
    languages == other.languages && apps.count == other.apps.count
      && zip(apps, other.apps).allSatisfy { $0.app == $1.app && $0.token == $1.token }
  }
}

extension AppSpecification {
  fileprivate mutating func apply(_ state: DeviceChange.AppState) {
    if let source = state.token { token = source.bytes }
    isInstalled = state.isInstalled ?? isInstalled
  }
}

extension DeviceChange {
  /// `{"device":"bob","online":false,"languages":["fr"]}`, with `apps` for exactly these, or with `app` for one of them;
  /// `token` and `installed` are for that one, or for all.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("device", device)
    if let isOnline {
      writer.member("online", isOnline)
    }
    switch apps {
    case .exactly(let apps)?:
      writer.key("apps")
      apps.write(to: &writer)
    case .every(let state)?: state.writeMembers(to: &writer)
    case .one(let topic, let environment, let state)?:
      writer.member("app", topic)
      if let environment {
        writer.member("environment", environment.rawValue)
      }
      state.writeMembers(to: &writer)
    case nil: break
    }
    if let languages {
      writer.member("languages", languages)
    }
    writer.endObject()
  }
}

extension DeviceChange.AppState {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch token {
    case .given(let bytes)?: writer.member("token", hex: bytes)
    case .issued?: writer.member("token", "issued")
    case nil: break
    }
    if let isInstalled {
      writer.member("installed", isInstalled)
    }
  }
}
