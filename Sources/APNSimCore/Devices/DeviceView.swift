/// A device as people and programs look at it.
package struct DeviceView: Hashable, Sendable {
  package var name: String
  package var isOnline: Bool
  package var apps: [AppView]
  /// What its user prefers to read, best first.
  package var languages: [String] = []
  /// Its connection to the device port, if it has one.
  package var connection: ConnectionID?

  /// One app on a device.
  package struct AppView: Hashable, Sendable {
    package var app: AppKey
    package var token: [UInt8]
    package var isInstalled: Bool
    package var isIssued: Bool
    /// The number on the app's icon; 0 is none.
    package var badge: Int32
    package var registeredAt: Timestamp
    /// The number of the one stored notification; nil when nothing waits.
    package var stored: UInt64?
  }
}
