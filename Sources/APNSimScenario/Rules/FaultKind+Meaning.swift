import APNSimCore

extension FaultKind {
  /// What happens, in a sentence for people who write a file.
  var meaning: String {
    switch self {
    case .close: "The connection is closed in order, without a packet."
    case .reset: "The connection is reset, without a packet."
    case .swallow: "The notification is accepted and reaches nobody."
    case .stopReading: "Nothing more of the connection is read: the provider's writes fill the pipe."
    case .shutdown: "Status 10, with the identifier that was accepted last."
    case .unavailable:
      "From the first match on, requests are answered 503 ServiceUnavailable for a while; then it is over."
    case .lateUnregistered: "A token whose app is gone is answered 200 for a while before it is 410."
    case .goaway: "GOAWAY at this request, and what becomes of the connection after it."
    case .resetStream: "RST_STREAM instead of an answer; nothing is delivered."
    case .unanswered: "The stream stays open for good."
    case .slowAnswer: "The headers come this much later, and this much after them the body."
    case .maxStreams: "SETTINGS with this many streams at once, ahead of the answer."
    case .stickyServerError: "This request and all that follow are 500, until the provider reconnects."
    case .refuseHandshake: "The handshake is refused."
    case .acceptDelay: "The handshake begins this much later."
    case .latency: "Whatever the simulator sends comes this much later."
    case .jitter: "Each answer comes later by a time of its own between two bounds, drawn from the seed."
    case .slice:
      "Whatever the simulator sends comes in TLS records of so many bytes, with a pause between them."
    case .closeAfterHandshake: "The handshake succeeds, then the connection ends."
    case .idleClose: "A connection without a notification for this long is closed."
    case .blackHole: "Everything is read, nothing is answered, and the connection is never closed."
    case .zeroWindow: "No window is given for the bodies of requests."
    case .ignorePing: "No PING is answered."
    case .ignoreSettings: "The provider's SETTINGS are not acknowledged."
    case .feedbackHoldOpen: "The feedback connection stays open after the last tuple."
    case .feedbackTruncate: "The feedback list ends after so many bytes."
    case .feedbackKeep: "The feedback list stays as it is when it is read."
    }
  }
}
