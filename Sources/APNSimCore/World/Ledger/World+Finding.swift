import APNSimWire

/// Devices and apps by what people call them.
extension World {
  /// The device of a name or token. A text that is both is a name, but for the digits of a whole token: a device that
  /// is named by these does not hide the one that they belong to.
  func find(device name: String) throws(CommandError) -> UInt32 {
    let isToken = name.utf8.count == 2 * Self.tokenByteCount
    if !isToken, let device = devices.device(named: name) { return device }
    if let device = owner(ofTokenInHex: name) ?? devices.device(named: name) { return device }
    throw .unknownDevice(name)
  }

  /// The word that ``find(device:)`` takes for a device: its name, or a token of its own where its name is the digits of
  /// another device's.
  func reference(to device: UInt32) -> String {
    let name = devices.name(of: device)
    guard name.utf8.count == 2 * Self.tokenByteCount, let owner = owner(ofTokenInHex: name), owner != device,
      let registration = devices.registrations(of: device).first
    else { return name }
    return Hex.encode(devices.token(of: registration))
  }

  private static var tokenByteCount: Int { 32 }

  private func owner(ofTokenInHex digits: String) -> UInt32? {
    guard let token = Hex.decode(digits), !token.isEmpty else { return nil }
    for app in apps.places {
      if let registration = devices.find(app: app, token: token), !devices.lives.isReplaced(registration) {
        return devices.registrations[registration].device
      }
    }
    return nil
  }

  mutating func appOrError(_ key: AppKey) throws(CommandError) -> UInt16 {
    guard !key.topic.isEmpty else { throw .emptyTopic }
    guard let app = apps.add(key) else { throw .tooManyApps(limit: apps.limit) }
    return app
  }

  func bundle(of app: UInt16) -> AppKey {
    let key = apps[app].key
    return AppKey(topic: key.bundleId, environment: key.environment)
  }
}
