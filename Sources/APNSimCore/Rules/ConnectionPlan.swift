/// What is unusual about one connection as a whole, decided when it opens; almost always nothing.
///
/// The listener performs it. Faults of the stream (`strike`) are counted in the core, byte for byte.
package struct ConnectionPlan: Hashable, Sendable {
  /// Everything that is sent leaves this much simulated time later.
  package var latency: TimeSpan?
  /// What is sent comes in pieces of so many bytes, each a TLS record of its own, with a pause between them.
  package var sliceBytes: Int?
  package var slicePause = TimeSpan.zero
  /// The connection is closed this long after the handshake, whatever comes.
  package var closeAfterHandshake: TimeSpan?
  package var isBlackHole = false
  var idleClose: TimeSpan?
  var strike: Fault?
  package var holdsFeedbackOpen = false
  package var truncatesFeedbackAt: Int?
  var keepsFeedback = false

  /// Whether nothing that comes is looked at and nothing is ever sent.
  package var isMute: Bool { isBlackHole || closeAfterHandshake != nil }

  package static let usual = ConnectionPlan()

  /// Adds one fault of a connection; of two of one kind the first one stays.
  mutating func add(_ fault: Fault) {
    switch fault {
    case .latency(let span): latency = latency ?? span
    case .slice(let bytes, let pause):
      if sliceBytes == nil { (sliceBytes, slicePause) = (max(1, bytes), pause) }
    case .closeAfterHandshake(let span): closeAfterHandshake = closeAfterHandshake ?? span
    case .idleClose(let span): idleClose = idleClose ?? span
    case .blackHole: isBlackHole = true
    case .close, .reset, .stopReading: strike = strike ?? fault
    case .feedbackHoldOpen: holdsFeedbackOpen = true
    case .feedbackTruncate(let bytes): truncatesFeedbackAt = truncatesFeedbackAt ?? max(0, bytes)
    case .feedbackKeep: keepsFeedback = true
    case .swallow, .refuseHandshake, .acceptDelay: break
    }
  }
}
