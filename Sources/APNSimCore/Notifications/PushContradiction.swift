import APNSimWire

/// A contradiction between the push type that a request names and its payload. Apple may refuse such a push, delay it or drop
/// it; here it is remarked on.
enum PushContradiction {
  case visibleBackground
  case silentAlert
  case deviceManagement

  /// - Parameter payload: read only where there is no `aps`.
  init?(_ request: Request, _ facts: PayloadFacts, payload: () -> UnsafeRawBufferPointer) {
    guard request.target == .device, let type = request.pushType else { return nil }
    switch type {
    case .background where facts.hasAlert || facts.hasBadge || facts.hasSound: self = .visibleBackground
    case .alert where facts.onlyContentAvailable: self = .silentAlert
    case .alert where !facts.hasAPS && PrescribedPayload.deviceManagement.fits(payload()):
      self = .deviceManagement
    default: return nil
    }
  }

  var words: String {
    switch self {
    case .visibleBackground:
      "background is for payloads without alert, badge and sound: Apple may refuse, delay or drop it; send alert"
    case .silentAlert:
      "the payload shows nothing: Apple may refuse, delay or drop it; send background with priority 5"
    case .deviceManagement:
      "this is a payload of device management: Apple may refuse, delay or drop it; send mdm"
    }
  }
}
