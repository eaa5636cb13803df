internal import APNSimWire

/// What people call a device: the name it was given, or else the token it was first seen with, which becomes a text when
/// somebody reads it.
package enum DeviceLabel: Sendable, CustomStringConvertible {
  case name(String)
  case token(DeviceToken)

  package var description: String {
    switch self {
    case .name(let name): name
    case .token(let token): token.withBytes { Hex.encode($0) }
    }
  }
}
