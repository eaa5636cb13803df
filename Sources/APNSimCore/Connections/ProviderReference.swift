package import APNSimWire

/// How a report names a notification: by the identifier its provider gave it, or by our number for command 0.
package enum ProviderReference: Hashable, Sendable, CustomStringConvertible {
  case identifier(NotificationIdentifier)
  case number(UInt64)

  package var description: String {
    switch self {
    case .identifier(let identifier): identifier.hex
    case .number(let number): "n\(number)"
    }
  }
}
