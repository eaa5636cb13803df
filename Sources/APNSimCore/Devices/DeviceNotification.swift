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
  /// The presentation to the user; nil until somebody looks, and for what a device drops.
  package var presentation: Presentation?

  package var id: String { "n\(number)" }

  /// With what its user would see, by the contexts of the device's apps.
  func presented(_ contexts: [AppKey: PresentationContext]) -> DeviceNotification {
    var notification = self
    notification.presentation = contexts[app]?.presentation(of: payload)
    return notification
  }

  /// About how many bytes it takes to say it: its payload, and its texts, which may be far longer.
  var size: Int {
    guard let alert = presentation?.alert else { return payload.count }
    return alert.buttons.reduce(payload.count + alert.text.utf8.count) { $0 + $1.utf8.count }
  }
}
