/// Where a token comes from that a device showed for an app and that is not registered for it: what the refusal says
/// was found. A replay reads it there, since the key that issued the token is in no capture.
package enum TokenOrigin: Hashable, CustomStringConvertible {
  /// It was issued for the app, to another device.
  case otherDevice
  /// It was issued for another app, or is registered with it.
  case otherApp(AppKey)
  /// This simulator did not issue it.
  case elsewhere

  package var description: String {
    switch self {
    case .otherDevice: "a token that was issued to another device"
    case .otherApp(let app): "a token for \(app)"
    case .elsewhere: "a token that this simulator did not issue"
    }
  }
}
