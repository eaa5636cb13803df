package import APNSimCore

/// One thing that a provider of a script does on one of its connections.
package struct TrafficStep: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Connects, and nothing else.
    case open
    case send([TrafficPiece], TrafficCut)
    /// Pushes requests over HTTP/2, with another provider token where one is given.
    case push([TrafficRequest], TrafficToken?)
    /// Ends its own side of the connection and reads what still comes.
    case end
    /// Resets the connection.
    case reset
    /// Reads the feedback list to its end, or so many tuples of it.
    case readFeedback(tuples: Int?)
  }

  package var at: TimeSpan
  /// The connection's name in the file. Its first step connects.
  package var connection: String
  package var action: Action
}

/// The sizes in which the bytes of one step are written.
package enum TrafficCut: Hashable, Sendable {
  case whole
  /// Pieces of so many bytes, the last one shorter.
  case pieces(Int)

  package func pieces(of bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    let size =
      switch self {
      case .whole: bytes.count
      case .pieces(let size): min(size, bytes.count)
      }
    // Lazy, because there may be very many.
    return stride(from: 0, to: bytes.count, by: max(1, size)).lazy
      .map { bytes[$0..<$0 + min(max(1, size), bytes.count - $0)] }
  }
}

/// The owner of a connection: its app, listener and certificate.
package struct TrafficProvider: Hashable, Sendable {
  package var app: AppKey
  package var listener: Listener
  package var certificate = TrafficCertificate.good

  package init(app: AppKey, listener: Listener, certificate: TrafficCertificate = .good) {
    self.app = app
    self.listener = listener
    self.certificate = certificate
  }

  /// The contents of its certificate.
  package var identity: ProviderIdentity {
    if listener == .http2, certificate == .none {
      return ProviderIdentity(topics: [], environment: app.environment, subject: "")
    }
    return ProviderIdentity(topics: [app.topic], environment: app.environment, subject: "UID=\(app.topic)")
  }
}

/// The certificate that a provider of a script presents.
///
/// Over a network it is a real one of that kind; in process only the alert that it gets is known.
package enum TrafficCertificate: String, CaseIterable, Hashable, Sendable {
  /// Signed by the simulator's CA, for the connection's topic and environment.
  case good
  /// On the revocation list.
  case revoked
  /// Past its validity period.
  case expired
  /// Signed by an unknown CA.
  case foreign
  /// For the other of the two environments.
  case wrongEnvironment
  case none

  /// The alert with which the handshake is refused (RFC 5246, section 7.2); nil for a good one.
  package var alert: UInt8? {
    switch self {
    case .good: nil
    case .none: 40
    case .revoked: 44
    case .expired: 45
    case .wrongEnvironment: 46
    case .foreign: 48
    }
  }
}
