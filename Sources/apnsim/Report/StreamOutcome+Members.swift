import APNSimCapture
import APNSimWire

extension StreamOutcome {
  /// `{"status":410,"reason":"Unregistered","apnsId":"…"}`; without a status, `error` says what came instead.
  func writeMembers(to writer: inout JSONWriter) {
    if case .answered(let answer) = self {
      writer.key("status")
      if let status = answer.status { writer.int(status) } else { writer.null() }
      if let reason = answer.reason { writer.member("reason", reason) }
      if let id = answer.id { writer.member("apnsId", id) }
    } else {
      writer.key("status")
      writer.null()
      writer.member("error", text)
    }
  }
}
