package import APNSimWire

/// Something a scenario says must be so, at a moment of its timeline or at its end.
package struct Expectation: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// Notifications that match, of those the history holds.
    case notifications(Query)
    /// Notifications that a device has got and that match.
    case inbox(device: String, Query)
    /// Notifications that wait for a device.
    case stored(device: String)
    /// The tuples waiting in the lists of all apps, or of one.
    case feedback(AppKey?)
    /// The badge of an app on a device.
    case badge(device: String, AppKey?)
    /// The Live Activities that a device shows.
    case activities(device: String)
    /// Pushes to a device that should have changed a Live Activity, and showed nothing.
    case ignored(device: String)
    /// Error responses of a status and with an identifier, on any connection.
    case errors(StatusCode?, NotificationIdentifier? = nil)
  }

  package var subject: Subject
  package var count: CountTest
  /// The words for it in a report.
  package var text: String

  package init(subject: Subject, count: CountTest, text: String = "") {
    self.subject = subject
    self.count = count
    self.text = text
  }

  /// The result of looking.
  package struct Result: Hashable, Sendable {
    package var expectation: Expectation
    package var isSatisfied: Bool
    package var found: Int
    /// Notifications or errors that could not be looked at: they have made room for later ones. For an inbox, of all
    /// devices.
    package var missed: UInt64
    /// When it was looked at.
    package var time: Timestamp
    /// The nearest notifications, where some were looked for.
    package var nearMisses: [NearMiss]
  }
}
