extension Fault {
  /// Its name in scenarios, in the API and in the journal.
  package var name: String {
    switch self {
    case .swallow: "swallow"
    case .close: "close"
    case .reset: "reset"
    case .stopReading: "stopReading"
    case .refuseHandshake: "refuseHandshake"
    case .acceptDelay: "acceptDelay"
    case .latency: "latency"
    case .slice: "slice"
    case .closeAfterHandshake: "closeAfterHandshake"
    case .idleClose: "idleClose"
    case .blackHole: "blackHole"
    case .feedbackHoldOpen: "feedbackHoldOpen"
    case .feedbackTruncate: "feedbackTruncate"
    case .feedbackKeep: "feedbackKeep"
    }
  }
}
