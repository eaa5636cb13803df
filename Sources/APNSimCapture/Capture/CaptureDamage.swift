package import APNSimWire

/// The place at which a capture stops being readable, with the reason. Everything before it has been read.
package struct CaptureDamage: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: String
  /// The line, from 1, and the byte at which it begins; of the inflated text where the file is compressed.
  package var line: Int
  package var offset: Int64
  package var reason: String
  package var isCompressed = false

  package var description: String {
    "\(path):\(line): damaged at byte \(offset)\(isCompressed ? " of its text" : ""): \(reason)"
  }

  /// Writes it as the member `damage`.
  package func write(to writer: inout JSONWriter) {
    writer.key("damage")
    writer.beginObject()
    writer.member("line", line)
    writer.member("offset", offset)
    writer.member("reason", reason)
    writer.endObject()
  }
}
