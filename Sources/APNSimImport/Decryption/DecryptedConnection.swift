import APNSimCore

/// A TLS connection of a capture during decryption. It is passed on once its plaintext is recognized as the protocol's.
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
  /// The side that ended its direction first: by TLS's alert, or by a FIN without one.
  var firstToEnd: StreamEvent.Side?
  /// Directions with a gap, after which nothing can be decrypted.
  var broken: [StreamEvent.Side] = []
  /// The events, missing bytes among them, that wait until the connection is recognized.
  var held: [StreamEvent] = []

  init(_ opening: StreamConnection, _ id: ConnectionID, _ begin: Timestamp) {
    self.opening = opening
    self.id = id
    self.begin = begin
  }

  func side(of source: NetworkEndpoint) -> StreamEvent.Side {
    source == opening.provider ? .provider : .service
  }

  /// The guess from the first decrypted bytes of both sides, before anything was passed on.
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
