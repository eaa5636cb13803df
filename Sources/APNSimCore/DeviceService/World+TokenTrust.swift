import APNSimWire

/// Token trust: a token means one device, for one app in one environment.
extension World {
  /// "APNs decrypts the device token and validates that the token was generated for the connecting device" (Local
  /// and Push Notification Programming Guide 2011-08-09, "Token Trust (Notification)"). A token that was given to the
  /// device by a scenario or a command is its own as well.
  func checkTrust(_ shown: DeviceRequest.App, device name: String) throws(DeviceRefusal) {
    let issued = issuedToken(for: shown.key, on: name)
    let token = shown.token ?? issued
    let owner = apps.place(of: shown.key).flatMap { devices.find(app: $0, token: token) }
      .flatMap { devices.givenName(of: devices.registrations[$0].device) }
    if owner == name { return }
    if owner == nil {
      guard let token = shown.token else { return }
      if token == issued || setup.issuer.open(token, app: shown.key) == DeviceIdentity.of(name: name) {
        return
      }
    }
    throw DeviceRefusal(
      .token,
      expected: "a token of device \"\(name)\" for \(shown.key), or none",
      found: owner.map { "the token of device \"\($0)\"" } ?? origin(of: token, app: shown.key).description
    )
  }

  private func origin(of token: [UInt8], app key: AppKey) -> TokenOrigin {
    if setup.issuer.open(token, app: key) != nil { return .otherDevice }
    return otherApp(of: token, than: key).map { .otherApp($0) } ?? .elsewhere
  }
}
