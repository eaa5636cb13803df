package import APNSimWire

/// One line of a notification's explain list: a check that was made, or what was done.
package struct Explanation: Hashable, Sendable {
  package var check: String
  package var isPassed: Bool
  package var detail: String?
  package var hint: String?
}

extension Explanation {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("check", check)
    writer.member("ok", isPassed)
    if let detail {
      writer.member("detail", detail)
    }
    if let hint {
      writer.member("hint", hint)
    }
    writer.endObject()
  }
}
