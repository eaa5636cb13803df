import APNSimWire

/// The reason why the simulator ends a device's connection without the device's fault.
enum DeviceClosing: String {
  case replaced
  case offline
  case removed
  case tooSlow
  case reset

  var detail: String {
    switch self {
    case .replaced: "the device connected again; its newest connection counts"
    case .offline: "the device was taken offline"
    case .removed: "the device was removed"
    case .reset: "the simulator was reset; connect again"
    case .tooSlow: "what the device did not read filled its queue; what comes now is stored for it"
    }
  }

  /// `{"closed":{"reason":"replaced","detail":"…"}}` and a newline.
  var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("closed")
    writer.beginObject()
    writer.member("reason", rawValue)
    writer.member("detail", detail)
    writer.endObject()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
