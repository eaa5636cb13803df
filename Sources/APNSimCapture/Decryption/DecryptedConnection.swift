internal import APNSimCore

/// A TLS connection of a capture while it is being decrypted: it is told once its plaintext is known to be ours.
struct DecryptedConnection {
  enum State {
    /// Nothing has been decrypted yet.
    case unknown
    case told
    /// Not traffic of the protocol.
    case ignored
  }

  var opening: StreamConnection
  let id: ConnectionID
  let begin: Timestamp
  var state = State.unknown
  /// Records that could not be decrypted.
  var unreadable = 0
  /// Directions whose latest records gave no data.
  var silent: Set<StreamEvent.Side> = []
  /// Both hellos have been seen: their random numbers are what the key log is searched by.
  var hasHandshake: Bool { hasClientHello && hasServerHello }
  var hasClientHello = false
  var hasServerHello = false
  /// Who ended its direction first: by an alert, which is how TLS does it, or by a FIN without one.
  var firstToEnd: StreamEvent.Side?
  /// Directions that have a gap, behind which nothing can be decrypted.
  var broken: [StreamEvent.Side] = []
  /// What was decrypted before it is known what the connection is, and what is missing of it.
  var held: [StreamEvent] = []

  init(_ opening: StreamConnection, _ id: ConnectionID, _ begin: Timestamp) {
    self.opening = opening
    self.id = id
    self.begin = begin
  }

  func side(of source: NetworkEndpoint) -> StreamEvent.Side {
    source == opening.provider ? .provider : .service
  }

  /// What the first decrypted bytes of both sides say, while nothing has been told.
  var guess: Guess {
    Guess(
      client: firstBytes(of: .provider),
      server: firstBytes(of: .service),
      isPortKnown: opening.isPortKnown
    )
  }

  private func firstBytes(of side: StreamEvent.Side) -> ArraySlice<UInt8> {
    var bytes: ArraySlice<UInt8> = []
    for event in held where bytes.count < Guess.byteCount {
      if case .bytes(let other, let more) = event.kind, other == side {
        bytes += more.prefix(Guess.byteCount)
      }
    }
    return bytes
  }
}
