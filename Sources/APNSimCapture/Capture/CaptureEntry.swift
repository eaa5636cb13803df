package import APNSimCore

/// One line of a capture: its place, its time, and what happened on a connection.
package struct CaptureEntry: Hashable, Sendable {
  /// The line's number, from 1, and the byte at which it begins; both 0 for an entry that was not read from a file.
  package var line = 0
  package var offset: Int64 = 0
  /// The sequence number; 0 for an entry that is to be written.
  package var seq: UInt64 = 0
  /// The time of the event; simulated time where a simulator recorded it.
  package var time: Timestamp
  package var kind: Kind
  /// The kind of the bytes that went to a provider.
  package var answer = Answer.other

  package enum Answer: Hashable, Sendable {
    case errorResponse
    /// Tuples that a reader took.
    case feedback
    case other
  }

  package enum Kind: Hashable, Sendable {
    case connectionOpened(CapturedConnection)
    /// Bytes from the provider. `dropped` more bytes came after them and were not kept.
    case bytesIn(ConnectionID, [UInt8], dropped: Int, notification: CapturedNotification?)
    /// Bytes to the provider: error responses, feedback tuples, lines to a device.
    case bytesOut(ConnectionID, [UInt8])
    /// Bytes of one direction that the capture lost.
    case bytesMissing(ConnectionID, CaptureDirection, count: Int)
    /// After missing bytes of the provider, a frame begins with its next byte.
    case framesFound(ConnectionID)
    /// No further frame came from the provider, and an answer that waited for one left: the provider had ended its
    /// side, or sent something else than a frame.
    case inputEnded(ConnectionID)
    /// The connection ended; `byService` is the side that a reset came from, where the capture has it.
    case connectionClosed(ConnectionID, ClosingReason, byService: Bool = false)
    /// A command to the simulator, as JSON: `{"device.online":"bob"}`.
    case command([UInt8])
    /// The capture goes on up to here, without another event.
    case captureEnded
    /// Something on the streams of an HTTP/2 connection; a request with its verdict is of the kind `bytesIn`.
    case stream(ConnectionID, StreamHappening)
    /// Any other event, by its name; replay and diff read its members from the line itself.
    case other(String)
  }

  package init(time: Timestamp, kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// True for the entry after the opening of a connection inside which the capture begins: the bytes before are missing
  /// at that same moment. Bytes that are lost later may be the connection's first ones, too.
  package func isBeginningMissing(of id: ConnectionID, openedAt begin: Timestamp) -> Bool {
    guard case .bytesMissing(id, .in, count: 0) = kind else { return false }
    return time == begin
  }
}

/// The direction of bytes.
package enum CaptureDirection: String, Hashable, Sendable {
  /// From the provider.
  case `in`
  /// To the provider.
  case out
}

/// The facts of a connection when it begins.
package struct CapturedConnection: Hashable, Sendable {
  package var id: ConnectionID
  package var listener: Listener
  package var peer: String
  /// The identity of the provider; without topics where the capture has none.
  package var provider: ProviderIdentity
  /// `1.2` and the cipher's name; empty where no TLS is involved.
  package var tlsVersion: String
  package var cipher: String
  /// Its place among the connections of its listener, from 1; 0 where the capture does not say.
  package var ordinal: UInt32
  /// True where a foreign capture has the service's side as well, so that its silence is known.
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

/// The verdict on a notification by the simulator that recorded it.
package struct CapturedNotification: Hashable, Sendable {
  /// `n57` without its letter.
  package var number: UInt64
  /// The outcome when it came in.
  package var outcome: Outcome
  /// The status of a rejected one; 0 otherwise.
  package var status: UInt8
  /// Of a request: its answer.
  package var answer: RequestStatus?
  /// The number of its connection's read that brought its last byte, from 1; 0 where that does not matter.
  package var read: UInt32
}
