import APNSimWire

/// The reason why a device's line is not accepted. It is told so in one line, and its connection ends: like the gateway, the
/// device port gives one error a connection.
package struct DeviceRefusal: Error, Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    /// The line has no end.
    case line
    /// The line is not JSON.
    case json
    /// The line is JSON and not what a device says.
    case request
    /// A token is not this device's for that app and environment.
    case token
    /// The simulator has no room for it.
    case room
    /// Nothing came for too long.
    case silence
  }

  package var reason: Reason
  package var expected: String
  package var found: String

  init(_ reason: Reason, expected: String, found: String) {
    self.reason = reason
    self.expected = expected
    self.found = found
  }

  /// The refusal of more apps than a device may have.
  init(apps count: Int, most: Int) {
    self.init(.room, expected: "at most \(most) apps on a device", found: "\(count)")
  }

  /// `{"error":{"reason":"token","expected":"…","found":"…"}}` and a newline.
  var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.beginObject()
    writer.member("reason", reason.rawValue)
    writer.member("expected", expected)
    writer.member("found", found)
    writer.endObject()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}

extension DeviceRefusal {
  /// The answer to a line that nobody can understand; nil where it can be understood.
  package static func line(refusing line: [UInt8], environment: PushEnvironment) -> [UInt8]? {
    do throws(DeviceRefusal) {
      _ = try DeviceRequest(line, environment: environment, mostApps: Limits().deviceApps)
      return nil
    } catch {
      return error.line
    }
  }
}
