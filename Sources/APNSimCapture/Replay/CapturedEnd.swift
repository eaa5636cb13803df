package import APNSimCore

/// The side that ended a connection in a capture, as far as the capture shows.
package enum CapturedEnd: Hashable, Sendable {
  case provider
  case service
  /// Neither: it was open when the capture ended.
  case nobody
  /// Not known: a reset by the provider or of unknown origin, a failure, or a capture that is cut off.
  case unknown

  /// The silence after the last bytes that excludes a refusal without a packet (command 0), which shows only in the
  /// connection's end.
  package static let silence = TimeSpan.milliseconds(50)

  /// The most time between a notification and its refusal: an end by the service that comes later after a provider's
  /// last bytes, without an answer, has another cause, such as an idle connection or a restart.
  package static let latestRefusal = TimeSpan.seconds(2)

  package init(_ reason: ClosingReason, byService: Bool) {
    self =
      switch reason {
      case .peerClosed: .provider
      case .simulatorClosed, .timedOut: .service
      // The simulator was stopped, and the recording with it.
      case .drained, .simulatorKilled: .nobody
      case .reset: byService ? .service : .unknown
      case .failed: .unknown
      }
  }

  /// True where the capture shows that the service did not end it.
  package var excludesService: Bool { self == .provider || self == .nobody }

  /// The end in words, for a difference; nil where it is not known.
  package var text: String? {
    switch self {
    case .provider: "ended by the provider"
    case .service: "ended by the service"
    case .nobody: "still open at the capture's end"
    case .unknown: nil
    }
  }
}
