package import APNSimCore

/// One line of a capture, as what it says of a connection's bytes.
package struct CaptureEntry: Hashable, Sendable {
  /// Its line, from 1, and the byte at which that begins; both 0 for an entry that was not read.
  package var line = 0
  package var offset: Int64 = 0
  /// Its place in the total order; 0 for an entry that is to be written.
  package var seq: UInt64 = 0
  /// In simulated time, where a simulator recorded it.
  package var time: Timestamp
  package var kind: Kind
  /// What bytes to a provider are.
  package var answer = Answer.other

  package enum Answer: Hashable, Sendable {
    case errorResponse
    /// Tuples that a reader took.
    case feedback
    case other
  }

  package enum Kind: Hashable, Sendable {
    case connectionOpened(CapturedConnection)
    /// Bytes from the provider. `dropped` of those that came were not kept and are missing behind them.
    case bytesIn(ConnectionID, [UInt8], dropped: Int, notification: CapturedNotification?)
    /// Bytes to the provider: error responses, feedback tuples, lines to a device.
    case bytesOut(ConnectionID, [UInt8])
    /// Bytes of one direction that the capture lost.
    case bytesMissing(ConnectionID, CaptureDirection, count: Int)
    /// Behind bytes of the provider that are missing, a frame begins with its next byte.
    case framesFound(ConnectionID)
    /// No further frame came from the provider, and an answer that waited for one left: it had ended its side, or what
    /// followed was no frame.
    case inputEnded(ConnectionID)
    /// A reset says which side it came from, where the capture tells.
    case connectionClosed(ConnectionID, ClosingReason, byService: Bool = false)
    /// What somebody asked of the simulator, as JSON: `{"device.online":"bob"}`.
    case command([UInt8])
    /// Nothing more happened up to here: so long the capture goes on.
    case captureEnded
    /// Anything else, by the name of its event; replay and diff read what they know of it from the line itself.
    case other(String)
  }

  package init(time: Timestamp, kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// Whether it says that the capture begins inside the connection that the entry in front of it opened: what came
  /// before is missing, at that moment. Bytes that are lost later may be the connection's first ones, too.
  func isBeginningMissing(of id: ConnectionID, openedAt begin: Timestamp) -> Bool {
    guard case .bytesMissing(id, .in, count: 0) = kind else { return false }
    return time == begin
  }
}

/// Which way bytes went.
package enum CaptureDirection: String, Hashable, Sendable {
  /// From the provider.
  case `in`
  /// To the provider.
  case out
}

/// What a capture knows of a connection when it begins.
package struct CapturedConnection: Hashable, Sendable {
  package var id: ConnectionID
  package var listener: Listener
  package var peer: String
  /// Who connected; the topic is empty where the capture does not say.
  package var provider: ProviderIdentity
  /// `1.2` and the cipher's name; empty where no TLS is involved.
  package var tlsVersion: String
  package var cipher: String
  /// Its place among the connections of its listener, from 1; 0 where the capture does not say.
  package var ordinal: UInt32
  /// A foreign capture has the service's side as well: where it says nothing, nothing was said.
  package var areAnswersSeen = false

  package init(
    id: ConnectionID,
    listener: Listener,
    peer: String,
    provider: ProviderIdentity,
    tlsVersion: String = "",
    cipher: String = "",
    ordinal: UInt32 = 0
  ) {
    self.id = id
    self.listener = listener
    self.peer = peer
    self.provider = provider
    self.tlsVersion = tlsVersion
    self.cipher = cipher
    self.ordinal = ordinal
  }
}

/// What the simulator that recorded a notification thought of it.
package struct CapturedNotification: Hashable, Sendable {
  /// `n57` without its letter.
  package var number: UInt64
  /// What became of it when it came in.
  package var outcome: Outcome
  /// The status of a rejected one; 0 otherwise.
  package var status: UInt8
  /// Which read of its connection brought its last byte, from 1; 0 where that does not matter.
  package var read: UInt32
}
