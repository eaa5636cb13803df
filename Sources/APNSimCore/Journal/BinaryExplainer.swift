import APNSimWire

/// The binary interface's own words in the explain list of a notification.
struct BinaryExplainer {
  let record: NotificationRecord
  let command: UInt8
  let defect: FrameDefect
  let configuration: Configuration
  /// The bytes as sent.
  let evidence: UnsafeRawBufferPointer
  /// The hint about bytes that follow the notification before on the connection and begin no other; nil where there
  /// is none before.
  let afterPreceding: String?

  /// The checks in the order in which they are made; none where there was no frame to make them of.
  var checks: [Check] {
    record.failed == .command || record.failed == .framing ? [] : BinaryInterface.checks
  }

  /// The hint about a payload that no device could read.
  static let lenience = "the gateway does not say so; --payload strict answers status 1"

  /// The most bytes that a payload of this command may have.
  var payloadLimit: Int { limits.payload(of: command) }

  private var limits: FrameLimits { configuration.frameLimits(tokenSizes: TokenSizes()) }

  /// The reason why the answer to the failed check was not said; empty where it was.
  var silence: String {
    switch BinaryInterface.silence(about: record.failed, command: command, configuration.quirks) {
    case .simpleFormat: "; command 0 has no error response, so the connection is closed without one"
    case .quirk: "; the quirk silentParseErrors closes the connection without an error response"
    case nil: ""
    }
  }

  /// The mistakes that the frame has the shape of.
  var mistakes: FrameMistakes {
    FrameMistakes(command: command, bytes: evidence, fields: record.fields, limits: limits)
  }

  /// The hint about a problem of the payload; nil where nothing better is known than what the rules expect.
  func payloadMistake(_ verdict: PayloadVerdict, _ payload: UnsafeRawBufferPointer) -> String? {
    let carrier = PayloadMistakes.Carrier.frame(command: command, limit: payloadLimit)
    return PayloadMistakes(payload: payload, carrier: carrier, following: mistakes.following)
      .hint(about: verdict)
  }

  var brokenFrame: (String, String?) {
    (
      "\(defect.summary), at byte \(record.problemOffset) of the frame",
      mistakes.framing(defect, at: Int(record.problemOffset))
    )
  }

  var unknownCommand: (String, String?) {
    let detail =
      "command byte \(command) is not one of \(Setting.named("commands")?.text(in: configuration) ?? "")"
    if CommandSet.all.contains(command: command) {
      return (detail, "command \(command) is switched off; see --commands")
    }
    return (detail, afterPreceding ?? firstByte)
  }

  /// The mistake behind a connection's first byte; nil where it is nothing that is known.
  private var firstByte: String? {
    let character = String(UnicodeScalar(command))
    switch command {
    case 0x08: return "8 begins an error response, which the gateway sends"
    case 0x0A, 0x0D: return "it is a line end: is somebody typing? This port speaks the binary interface"
    case 0x16: return "0x16 begins a TLS handshake: TLS inside TLS?"
    case 0x30...0x32: return "it is the digit \(character): the command is one byte of that value, not text"
    // CONNECT, DELETE, GET, HEAD, OPTIONS, POST and PUT, TRACE.
    case 0x43, 0x44, 0x47, 0x48, 0x4F, 0x50, 0x54:
      return "it looks like HTTP, or somebody typing; this port speaks the binary interface"
    case 0x3C:
      return "it is the text '<': a token or XML without a frame? A notification begins with its command"
    case 0x7B: return "it is '{': a payload without a frame? A notification begins with its command"
    case 0x20...0x7E:
      return "it is the text '\(character)': is somebody typing? This port speaks the binary interface"
    default: return nil
    }
  }

  var tooLarge: (String, String?) {
    let size = Int(record.fields.payloadLength)
    let usual =
      command < 2 && size <= limits.framedPayload
      ? "command \(command) allows \(payloadLimit), command 2 allows \(limits.framedPayload)"
      : "bytes of the encoded payload count, not characters"
    return (
      "the payload is \(size) bytes; command \(command) allows \(payloadLimit)", mistakes.payloadSize ?? usual
    )
  }
}
