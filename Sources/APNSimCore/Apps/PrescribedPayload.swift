import APNSimWire

/// The payloads without `aps` that Apple prescribes for the topics of its own services, whatever the guide's tables say
/// of apps.
///
/// - Device management: `{"mdm":"…"}` to a topic `com.apple.mgmt.…` (Mobile Device Management Protocol Reference,
///   "Push Notification Payload").
/// - Wallet: an empty dictionary to a topic `pass.…` (Wallet Developer Guide, "Updating a Pass": "the push notification
///   payload … an empty JSON dictionary").
package enum PrescribedPayload: Hashable, Sendable {
  case deviceManagement
  case pass

  /// Nil for the topic of an app.
  package init?(topic: String) {
    if topic.utf8.starts(with: "com.apple.mgmt.".utf8) {
      self = .deviceManagement
    } else if topic.utf8.starts(with: "pass.".utf8) {
      self = .pass
    } else {
      return nil
    }
  }

  /// True if a payload is what is prescribed.
  package func fits(_ payload: UnsafeRawBufferPointer) -> Bool {
    guard let value = try? JSONValue.parse(payload), case .object(let members) = value else { return false }
    switch self {
    case .deviceManagement:
      return members.count == 1 && members[0].key == "mdm" && members[0].value.stringValue != nil
    case .pass: return members.isEmpty
    }
  }
}
