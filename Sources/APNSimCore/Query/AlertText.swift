package import APNSimWire

/// The text of an alert: the alert itself, or the `body` of one that is a dictionary ("alert", Table 3-1 and Table
/// 3-2 of the Local and Push Notification Programming Guide). Queries call it `alert`.
package struct AlertText: Hashable, Sendable {
  /// Its path in the notification object.
  package let path: String
  /// A text; anything else where the alert has none.
  package let value: JSONValue

  static let path = "aps.alert"
  static let body = "body"

  /// Nil for a payload without an alert.
  package init?(_ payload: JSONValue) {
    guard let alert = payload[Self.path] else { return nil }
    if case .string? = alert.member(Self.body) {
      self.init(path: "payload.\(Self.path).\(Self.body)", value: alert.member(Self.body) ?? alert)
    } else {
      self.init(path: "payload.\(Self.path)", value: alert)
    }
  }

  private init(path: String, value: JSONValue) {
    self.path = path
    self.value = value
  }
}
