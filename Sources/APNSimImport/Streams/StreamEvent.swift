package import APNSimCore

/// An event of a connection to a gateway or feedback service, in the order of the capture.
package struct StreamEvent: Sendable {
  /// The side that wrote the bytes.
  package enum Side: Hashable, Sendable {
    case provider
    case service
  }

  /// The way a connection ended.
  package enum Ending: Hashable, Sendable {
    /// Both sides ended their streams; this one first.
    case closed(first: Side)
    case reset(by: Side)
    /// Its ports were used again before the capture showed an end.
    case unseen
  }

  package enum Kind: Sendable {
    case opened(StreamConnection)
    case bytes(Side, ArraySlice<UInt8>)
    /// Bytes that were sent and are not in the capture; nil where their number is not known.
    case missing(Side, count: Int?)
    case closed(Ending)
  }

  package var time: Timestamp
  package var connection: ConnectionID
  package var kind: Kind

  package init(time: Timestamp, connection: ConnectionID, kind: Kind) {
    self.time = time
    self.connection = connection
    self.kind = kind
  }
}

/// A connection as a capture shows it.
package struct StreamConnection: Sendable {
  package var listener: Listener
  package var environment: PushEnvironment
  /// The provider's address and port; empty where the capture does not have one.
  package var peer: String
  /// The capture began after the connection did: what came before is not known.
  package var isPartial: Bool
  /// The capture has packets of the service, so that its silence is known.
  package var areAnswersSeen = false
  /// The identity in the provider's certificate, where the capture has it.
  package var identity: ProviderIdentity?
  package var tlsVersion = ""
  package var cipher = ""
  /// Its bytes are TLS records, to be decrypted.
  package var isTLS = false
  /// The port of the service is one that is known; otherwise its traffic was taken for ours.
  package var isPortKnown = true
  /// The number of the TCP segment that began it, from 1.
  var beginning = 0
  /// The provider's end, where the capture is of packets.
  package var provider: NetworkEndpoint?

  package init(
    listener: Listener,
    environment: PushEnvironment,
    peer: String,
    isPartial: Bool = false,
    identity: ProviderIdentity? = nil
  ) {
    self.listener = listener
    self.environment = environment
    self.peer = peer
    self.isPartial = isPartial
    self.identity = identity
  }
}
