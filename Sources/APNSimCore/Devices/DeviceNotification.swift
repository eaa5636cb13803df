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
  /// The presentation to the user; nil until somebody looks, and for what a device drops.
  package var presentation: Presentation?

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

extension DeviceNotification {
  /// Writes the members of a notification in a device's inbox or store; the caller has begun the object:
  ///
  ///     {"id":"n57","time":"…","topic":"com.example.app","environment":"production","identifier":"01020304",
  ///      "payload":{…},"payloadBase64":"…","payloadSize":22,"presentation":{…}}
  ///
  /// `identifier` is null for command 0, `payload` where it is not JSON, `presentation` where a device drops it. A
  /// stored one has `until`, when it will be given up.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("time", time.description)
    app.writeMembers(to: &writer)
    writer.key("identifier")
    if let identifier {
      writer.string(NotificationIdentifier(rawValue: identifier).hex)
    } else {
      writer.null()
    }
    if let deadline {
      writer.member("until", deadline.description)
    }
    writer.key("payload")
    if let value = try? JSONValue.parse(payload) { writer.value(value) } else { writer.null() }
    writer.member("payloadBase64", base64: payload)
    writer.member("payloadSize", payload.count)
    writer.key("presentation")
    guard let presentation else { return writer.null() }
    writer.beginObject()
    presentation.writeMembers(to: &writer)
    writer.endObject()
  }

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
