import APNSimWire

/// Devices as people call them: by their names, or by their tokens.
extension DeviceRegistry {
  /// The named devices, by name.
  var namedDevices: [(name: String, device: UInt32)] { names.sorted }

  /// True if any device has or had a name, as far as anything tells of it.
  var hasNames: Bool { !names.isEmpty }

  /// The number of times that a name was given or taken.
  var namings: UInt64 { names.changes }

  func device(named name: String) -> UInt32? { names.device(named: name) }

  /// The device's given name, or nil for one made on first sight.
  func givenName(of device: UInt32) -> String? { devices[device].isNamed ? names.name(of: device) : nil }

  /// The name that a device had been given by the time a notification came.
  func givenName(of device: UInt32, at number: UInt64) -> String? {
    devices[device].isNamed ? names.name(of: device, at: number) : nil
  }

  /// The name of a registration's owner: the device's, or the token where it has none. A registration
  /// that was removed still has its owner while the history may tell of it.
  func ownerName(of registration: UInt32) -> String {
    givenName(of: registrations[registration].device) ?? Hex.encode(token(of: registration))
  }

  /// The device as people call it: by its name, or by the token it was first seen with.
  func name(of device: UInt32) -> String {
    givenName(of: device) ?? firstToken(of: device).map { Hex.encode($0) } ?? "device \(device)"
  }

  /// The same, without making a text of a token of the usual length.
  func label(of device: UInt32) -> DeviceLabel {
    let first = devices[device].firstRegistration
    guard !devices[device].isNamed, first != Registration.none,
      !registrations[first].flags.contains(.oddToken)
    else { return .name(name(of: device)) }
    return .token(registrations[first].token)
  }

  /// The token that a device was first seen with; nil when it has no app any more.
  private func firstToken(of device: UInt32) -> [UInt8]? {
    let first = devices[device].firstRegistration
    return first == Registration.none ? nil : token(of: first)
  }

  /// The devices that were made on first sight and have no name, the newest places first.
  /// - Parameter most: no more than so many.
  /// - Returns: them, and the number of all.
  func unnamedDevices(most: Int) -> (devices: [UInt32], count: Int) {
    let count = liveDevices - names.count
    var found: [UInt32] = []
    var index = devices.count
    while index > 0, found.count < min(most, count) {
      index -= 1
      // One that was removed has no app any more.
      let device = devices[index]
      if !device.isNamed, device.firstRegistration != Registration.none { found.append(index) }
    }
    return (found, count)
  }
}
