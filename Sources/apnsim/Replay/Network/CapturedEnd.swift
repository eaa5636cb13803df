import APNSimCore

/// Who ended a connection in a capture, as far as it tells.
enum CapturedEnd: Hashable, Sendable {
  case provider
  case service
  /// Nobody: it was open when the capture ended.
  case nobody
  /// A reset or a failure, whose side is not told, or a capture that is cut off.
  case unknown

  init(_ reason: ClosingReason) {
    self =
      switch reason {
      case .peerClosed: .provider
      case .simulatorClosed, .timedOut: .service
      // The simulator was stopped, and with it the recording.
      case .drained: .nobody
      case .reset, .failed: .unknown
      }
  }

  /// Whether an end by the service is one that the capture does not have.
  var excludesService: Bool { self == .provider || self == .nobody }

  /// In words, for a difference; nil where nobody knows.
  var text: String? {
    switch self {
    case .provider: "ended by the provider"
    case .service: "ended by the service"
    case .nobody: "still open at the capture's end"
    case .unknown: nil
    }
  }
}
