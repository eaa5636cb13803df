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

  /// The device as it is, to be put again.
  var specification: DeviceSpecification {
    DeviceSpecification(
      name: name,
      isOnline: isOnline,
      apps: apps.map { AppSpecification(app: $0.app, token: $0.token, isInstalled: $0.isInstalled) },
      languages: languages
    )
  }
}

/// A notification in a device's inbox or in its store.
package struct DeviceNotification: Hashable, Sendable {
  /// The notification's number; its record may have left the history.
  package var number: UInt64
  package var app: AppKey
  /// When it was delivered, or stored.
  package var time: Timestamp
  package var payload: [UInt8]
  package var identifier: UInt32?
  /// When it will be given up; nil for a delivered one.
  package var deadline: Timestamp?
  /// What the user would see and hear; nil until somebody looks, and for what a device drops.
  package var presentation: Presentation?

  package var id: String { "n\(number)" }
}
