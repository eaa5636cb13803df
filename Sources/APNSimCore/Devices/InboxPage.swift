/// A part of a device's inbox.
package struct InboxPage: Hashable, Sendable {
  package var notifications: [DeviceNotification] = []
  /// The delivery to go on after; nil at the end.
  package var next: UInt64?
}
