package import APNSimCore

/// Who ended a connection in a capture, as far as it tells.
package enum CapturedEnd: Hashable, Sendable {
  case provider
  case service
  /// Nobody: it was open when the capture ended.
  case nobody
  /// A reset by the provider or by nobody knows whom, a failure, or a capture that is cut off.
  case unknown

  /// A refusal without a packet (command 0) shows in nothing but the connection's end: so long a silence behind the
  /// last bytes says that there was none.
  package static let silence = TimeSpan.milliseconds(50)

  /// A refusal follows what it refuses: an end by the service that comes later than this behind a provider's last bytes,
  /// without an answer, has another cause, such as an idle connection or a restart.
  package static let latestRefusal = TimeSpan.seconds(2)

  package init(_ reason: ClosingReason, byService: Bool) {
    self =
      switch reason {
      case .peerClosed: .provider
      case .simulatorClosed, .timedOut: .service
      // The simulator was stopped, and with it the recording.
      case .drained: .nobody
      case .reset: byService ? .service : .unknown
      case .failed: .unknown
      }
  }

  /// Whether an end by the service is one that the capture does not have.
  package var excludesService: Bool { self == .provider || self == .nobody }

  /// In words, for a difference; nil where nobody knows.
  package var text: String? {
    switch self {
    case .provider: "ended by the provider"
    case .service: "ended by the service"
    case .nobody: "still open at the capture's end"
    case .unknown: nil
    }
  }
}
