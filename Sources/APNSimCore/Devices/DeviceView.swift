/// A device as people and programs look at it.
package struct DeviceView: Hashable, Sendable {
  package var name: String
  /// The word by which commands and queries mean it: its name, or one of its tokens in hex where its name is the digits
  /// of another device's.
  package var reference: String
  package var isOnline: Bool
  package var apps: [AppView]
  /// The languages that its user prefers, best first.
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
    /// When the token expires, or did; nil for one that never does.
    package var expires: Timestamp?
    /// The number of the one stored notification; nil when nothing waits.
    package var stored: UInt64?
  }
}

/// A part of a device's inbox.
package struct InboxPage: Hashable, Sendable {
  package var notifications: [DeviceNotification] = []
  /// The delivery to go on after; nil at the end.
  package var next: UInt64?
}

/// The arrival of a notification at a device: the place of its record in the history, and its app.
struct Delivery {
  var ordinal: UInt64
  /// The index of the registration that it was for.
  var registration: UInt32
}
