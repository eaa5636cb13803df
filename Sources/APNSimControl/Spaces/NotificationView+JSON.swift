import APNSimCore
import APNSimWire

extension NotificationView {
  /// Writes all members of the object: sequence number and time first, then the notification's.
  func writeAll(to writer: inout JSONWriter) {
    writer.member("seq", seq)
    writer.member("time", time.description)
    writeMembers(to: &writer)
  }
}
