import APNSimWire

/// A TCP connection has come in: it takes its place among those of its listener, and its handshake may wait.
struct ConnectionArrival: Input {
  let listener: Listener

  static var kind: InputKind { .connectionArrived }

  /// It is counted when it opens, if it can by then.
  func refusal(in world: inout World) -> (ordinal: UInt32, acceptDelay: TimeSpan)? { (0, .zero) }

  func write(to entry: inout StateWriter) { entry.write(listener) }

  func apply(to world: inout World) -> (ordinal: UInt32, acceptDelay: TimeSpan) {
    let ordinal = world.connections.takeOrdinal(of: listener)
    return (ordinal, world.acceptDelay(listener, ordinal: ordinal))
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    _ = ConnectionArrival(listener: try entry.read()).apply(to: &world)
  }
}

/// A connection that came in by another listener's port is counted among those of this one.
struct OrdinalTaking: Input {
  let listener: Listener

  static var kind: InputKind { .ordinalTaken }

  func refusal(in world: inout World) -> UInt32? { 0 }

  func write(to entry: inout StateWriter) { entry.write(listener) }

  func apply(to world: inout World) -> UInt32 { world.connections.takeOrdinal(of: listener) }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    _ = OrdinalTaking(listener: try entry.read()).apply(to: &world)
  }
}

/// A good certificate was shown, and a script may refuse it in the handshake.
struct CertificateShowing: Input {
  let listener: Listener
  let ordinal: UInt32
  let provider: ProviderIdentity

  static var kind: InputKind { .certificateShown }

  /// No script is asked: the connection is turned away when it opens.
  func refusal(in world: inout World) -> Fault.HandshakeRefusal?? { .some(nil) }

  func write(to entry: inout StateWriter) {
    entry.write(listener)
    entry.write(ordinal)
    entry.write(provider)
  }

  func apply(to world: inout World) -> Fault.HandshakeRefusal? {
    world.refusal(listener, ordinal: ordinal, provider: provider)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let input = CertificateShowing(
      listener: try entry.read(),
      ordinal: try entry.read(),
      provider: try entry.read()
    )
    _ = input.apply(to: &world)
  }
}

/// A connection did not come to be: its certificate was refused, or it spoke something else.
struct RefusedConnection: Input {
  let listener: Listener
  let peer: String
  let reason: String
  let subject: String

  static var kind: InputKind { .connectionRefused }

  func refusal(in world: inout World) -> Void? { () }

  func write(to entry: inout StateWriter) {
    entry.write(listener)
    for text in [peer, reason, subject] { entry.write(text) }
  }

  func apply(to world: inout World) {
    world.emit(.connectionRefused(listener, peer: peer, reason: reason, subject: subject))
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let input = RefusedConnection(
      listener: try entry.read(),
      peer: try entry.read(),
      reason: try entry.read(),
      subject: try entry.read()
    )
    input.apply(to: &world)
  }
}
