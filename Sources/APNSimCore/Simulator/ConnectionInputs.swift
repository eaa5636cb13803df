import APNSimWire

/// A TCP connection has come in: it takes its place among those of its listener, and its handshake may wait.
struct ConnectionArrival: Input, KeptByMembers {
  let listener: Listener

  static let members = Members(Self.init, \.listener)

  static var kind: InputKind { .connectionArrived }

  /// It is counted when it opens, if it can by then.
  func refusal(in world: inout World) -> (ordinal: UInt32, acceptDelay: TimeSpan)? { (0, .zero) }

  func apply(to world: inout World) -> (ordinal: UInt32, acceptDelay: TimeSpan) {
    let ordinal = world.connections.takeOrdinal(of: listener)
    return (ordinal, world.acceptDelay(listener, ordinal: ordinal))
  }
}

/// A connection that came in by another listener's port is counted among those of this one.
struct OrdinalTaking: Input, KeptByMembers {
  let listener: Listener

  static let members = Members(Self.init, \.listener)

  static var kind: InputKind { .ordinalTaken }

  func refusal(in world: inout World) -> UInt32? { 0 }

  func apply(to world: inout World) -> UInt32 { world.connections.takeOrdinal(of: listener) }
}

/// A good certificate was shown, and a script may refuse it in the handshake.
struct CertificateShowing: Input, KeptByMembers {
  let listener: Listener
  let ordinal: UInt32
  let provider: ProviderIdentity

  static let members = Members(Self.init, \.listener, \.ordinal, \.provider)

  static var kind: InputKind { .certificateShown }

  /// No script is asked: the connection is turned away when it opens.
  func refusal(in world: inout World) -> Fault.HandshakeRefusal?? { .some(nil) }

  func apply(to world: inout World) -> Fault.HandshakeRefusal? {
    world.refusal(listener, ordinal: ordinal, provider: provider)
  }
}

/// A connection did not come to be: its certificate was refused, or it spoke something else.
struct RefusedConnection: Input, KeptByMembers {
  let listener: Listener
  let peer: String
  let reason: String
  let subject: String

  static let members = Members(Self.init, \.listener, \.peer, \.reason, \.subject)

  static var kind: InputKind { .connectionRefused }

  func refusal(in world: inout World) -> Void? { () }

  func apply(to world: inout World) {
    world.emit(.connectionRefused(listener, peer: peer, reason: reason, subject: subject))
  }
}
