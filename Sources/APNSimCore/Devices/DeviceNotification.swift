package import APNSimWire

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
  /// The way it came; a device that is connected is not told.
  package var origin: Origin?
  /// Its place on the screen; nil for what waits.
  package var screen: ScreenPlace?
  /// The presentation to the user; nil until somebody looks, and for what a device drops.
  package var presentation: Presentation?

  /// The way in which a notification came. Nothing of it is known once its record has left the history.
  package struct Origin: Hashable, Sendable {
    package var interface: String?
    package var apnsId: String?
    package var pushType: String?
    package var collapseId: String?
    package var priority: UInt8?
  }

  package struct ScreenPlace: Hashable, Sendable {
    /// The later notification with the same collapse identifier that is shown in its place.
    package var hiddenBy: UInt64?
  }

  package var id: String { "n\(number)" }

  /// The notification with its presentation, by the contexts of the device's apps.
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

extension DeviceNotification: JSONObject {
  package static let shape = JSONShape<Self>("DeviceNotification") {
    $0.member("id", "The notification's number.") { NotificationNumber($0.number) }
    $0.member("time", "When it was delivered, or stored.") { $0.time }
    $0.members { $0.app }
    $0.member("identifier", "Null for command 0.") {
      $0.identifier.map { NotificationIdentifier(rawValue: $0) }
    }
    $0.optionalMembers { $0.origin }
    $0.optionalMembers { $0.screen }
    $0.optional("until", "Of a stored one: when it will be given up.") { $0.deadline }
    $0.member("payload", "The payload as JSON; null if it is not JSON.") { try? JSONValue.parse($0.payload) }
    $0.member("payloadBase64", "The payload's bytes.") { Base64Text($0.payload) }
    $0.member("payloadSize", "Their number.", .least(0)) { $0.payload.count }
    $0.member("presentation", "What the user would see and hear; null where the device drops the payload.") {
      $0.presentation
    }
  }
}

extension DeviceNotification.Origin: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member(
      "interface",
      "The interface it came by; null, as the next four, once it has left the history.",
      .words(["binary", "http2"])
    ) { $0.interface }
    $0.member("apnsId", "Over HTTP/2: the identifier of the answer.") { $0.apnsId }
    $0.member("pushType", "Over HTTP/2, as sent.") { $0.pushType }
    $0.member("collapseId", "Over HTTP/2, as sent.") { $0.collapseId }
    $0.member("priority", "10 where nothing was said.") { $0.priority }
  }
}

extension DeviceNotification.ScreenPlace: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member(
      "hiddenBy",
      "The later one with the same collapse identifier that took its place on the screen."
    ) {
      $0.hiddenBy.map { NotificationNumber($0) }
    }
  }
}

extension DeviceNotification {
  /// `{"notification":{…}}` and a newline: how a connected device gets it.
  var line: [UInt8] {
    var writer = JSONWriter(reservingCapacity: 512 + 3 * payload.count)
    writer.beginObject()
    writer.key("notification")
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}

/// Without its presentation, which is made for whoever looks.
extension DeviceNotification: KeptByMembers {
  static let members = Members(
    { DeviceNotification(number: $0, app: $1, time: $2, payload: $3, identifier: $4, deadline: $5) },
    \.number,
    \.app,
    \.time,
    \.payload,
    \.identifier,
    \.deadline
  )
}
