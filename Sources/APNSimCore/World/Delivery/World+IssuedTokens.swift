import APNSimWire

/// The owner of a token that was not issued for an app.
extension World {
  /// The number of apps that a foreign token is tried with, to say whose it is.
  private static var triedApps: Int { 1000 }

  /// The reason why a token is not good for an app under `--tokens issued`.
  func issuedFault(of token: [UInt8], app: UInt16) -> TokenFault {
    let key = apps[app].key
    guard let other = otherApp(of: token, than: key) else { return .notIssued }
    return other.topic.isExactly(key.topic) ? .otherEnvironment : .otherApp
  }

  /// Another app that a token was issued for or is registered with: the other environment of the same one first.
  func otherApp(of token: [UInt8], than key: AppKey) -> AppKey? {
    let environments = PushEnvironment.allCases.filter { $0 != key.environment }
    let twins = environments.map { AppKey(topic: key.topic, environment: $0) }
    let others = apps.lazy.map(\.key).filter { $0 != key && !twins.contains($0) }.prefix(Self.triedApps)
    for other in twins + others {
      if let index = apps.place(of: other), devices.find(app: index, token: token) != nil { return other }
      if setup.issuer.open(token, app: other) != nil { return other }
    }
    return nil
  }
}
