package import APNSimCore

/// One thing that a provider of a script does on one of its connections.
package struct TrafficStep: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Connects, and nothing else.
    case open
    case send([TrafficPiece], TrafficCut)
    /// Ends its own side of the connection and reads what still comes.
    case end
    /// Resets the connection.
    case reset
    /// Reads the feedback list: to its end, or so many tuples of it.
    case readFeedback(tuples: Int?)
  }

  package var at: TimeSpan
  /// The connection's name in the file. Its first step connects.
  package var connection: String
  package var action: Action
}

/// How the bytes of one step come.
package enum TrafficCut: Hashable, Sendable {
  case whole
  /// In pieces of so many bytes.
  case pieces(Int)

  package func pieces(of bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    let size =
      switch self {
      case .whole: bytes.count
      case .pieces(let size): min(size, bytes.count)
      }
    // Very many pieces are not all there at once.
    return stride(from: 0, to: bytes.count, by: max(1, size)).lazy
      .map { bytes[$0..<$0 + min(max(1, size), bytes.count - $0)] }
  }
}

/// Whose connection it is.
package struct TrafficProvider: Hashable, Sendable {
  package var app: AppKey
  package var listener: Listener
  package var certificate = TrafficCertificate.good

  package init(app: AppKey, listener: Listener, certificate: TrafficCertificate = .good) {
    self.app = app
    self.listener = listener
    self.certificate = certificate
  }

  /// What its certificate says.
  package var identity: ProviderIdentity {
    ProviderIdentity(topics: [app.topic], environment: app.environment, subject: "UID=\(app.topic)")
  }
}

/// The certificate that a provider of a script shows.
///
/// Over a network it is a real one of that kind; without one the answer is what the gateway gives it.
package enum TrafficCertificate: String, CaseIterable, Hashable, Sendable {
  /// Signed by the simulator's CA, for the connection's topic and environment.
  case good
  /// On the revocation list.
  case revoked
  /// Its time is over.
  case expired
  /// Signed by a CA that nobody here knows.
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
