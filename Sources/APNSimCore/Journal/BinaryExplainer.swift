import APNSimWire

/// The binary interface's own words in the explain list of a notification.
struct BinaryExplainer {
  let record: NotificationRecord
  let command: UInt8
  let defect: FrameDefect
  let configuration: Configuration

  /// The checks in the order in which they are made; none where there was no frame to make them of.
  var checks: [Check] {
    record.failed == .command || record.failed == .framing ? [] : BinaryInterface.checks
  }

  /// The most bytes that a payload of this command may have.
  var payloadLimit: Int { limits.payload(of: command) }

  private var limits: FrameLimits { configuration.frameLimits(tokenSizes: TokenSizes()) }

  /// Why the answer to the failed check was not said; empty where it was.
  var silence: String {
    switch BinaryInterface.silence(about: record.failed, command: command, configuration.quirks) {
    case .simpleFormat: "; command 0 has no error response, so the connection is closed without one"
    case .quirk: "; the quirk silentParseErrors closes the connection without an error response"
    case nil: ""
    }
  }

  var brokenFrame: String { "\(defect.summary), at byte \(record.problemOffset) of the frame" }

  var unknownCommand: (String, String?) {
    let detail =
      "command byte \(command) is not one of \(Setting.named("commands")?.text(in: configuration) ?? "")"
    switch command {
    case 0x16: return (detail, "0x16 begins a TLS handshake: TLS inside TLS?")
    case 0x47, 0x50, 0x48, 0x43, 0x44:
      return (detail, "it looks like HTTP; this port speaks the binary interface")
    case 2: return (detail, "command 2 is switched off; see --commands")
    default:
      return (detail, "a wrong length in the notification before it shifts everything behind")
    }
  }

  var tooLarge: (String, String?) {
    let size = Int(record.fields.payloadLength)
    let hint =
      command < 2 && size <= limits.framedPayload
      ? "command \(command) allows \(payloadLimit), command 2 allows \(limits.framedPayload)"
      : "bytes of the encoded payload count, not characters"
    return ("the payload is \(size) bytes; command \(command) allows \(payloadLimit)", hint)
  }
}
