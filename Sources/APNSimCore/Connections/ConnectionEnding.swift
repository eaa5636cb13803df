package import APNSimWire

/// The way in which a connection came to its end.
package enum ClosingReason: String, Hashable, Sendable, JSONWord {
  /// The provider ended it.
  case peerClosed
  /// The simulator ended it: after an error, or because a list was read to its end.
  case simulatorClosed
  /// A reset, by either side.
  case reset
  /// Nothing came for too long.
  case timedOut
  /// A transport or TLS error.
  case failed
  /// The simulator is shutting down.
  case drained
  /// The simulator was killed while it was open; said at the next start.
  case simulatorKilled
}

/// The way in which an operator ends a connection: the modes of `apnsim connections kill`.
public enum KillMode: String, Hashable, Sendable, CaseIterable {
  /// close_notify and FIN.
  case finish = "fin"
  /// A TCP reset.
  case reset = "rst"
  /// Gateway: an error response with status 10 and the last accepted identifier, then as after an error.
  case shutdown
}

/// The way in which the service ends a connection, or stops reading it.
package enum ConnectionEnding: UInt8, Hashable, Sendable {
  /// It does not.
  case none
  /// In the way that cannot lose the answer: close_notify, half-close, then read and discard until the provider's end of
  /// input or the linger time.
  case drain
  /// By a reset, right after what was written.
  case reset
  /// Not at all: it stays open and is not read any more.
  case stopReading

  /// The fault that ends a connection like this, by name.
  var faultName: String {
    switch self {
    case .none: "none"
    case .drain: "close"
    case .reset: "reset"
    case .stopReading: "stopReading"
    }
  }
}

/// The numbers of a connection's notifications that went each way; the sum of the last three is the first at every moment.
public struct ConnectionCounts: Hashable, Sendable {
  public var received: UInt64 = 0
  public var accepted: UInt64 = 0
  public var rejected: UInt64 = 0
  public var discarded: UInt64 = 0

  public init() {}

  package init(received: UInt64, accepted: UInt64, rejected: UInt64, discarded: UInt64) {
    (self.received, self.accepted, self.rejected, self.discarded) = (received, accepted, rejected, discarded)
  }
}

extension ConnectionCounts: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("received") { $0.received }
    $0.member("accepted") { $0.accepted }
    $0.member("rejected") { $0.rejected }
    $0.member("discarded", "Written after an error, and never looked at.") { $0.discarded }
  }
}

extension ClosingReason: Kept {}

extension ConnectionEnding: Kept {}

extension ConnectionCounts: KeptByMembers {
  static let members = Members(Self.init, \.received, \.accepted, \.rejected, \.discarded)

  func complete(_ state: StateReader) throws(StateError) {
    try state.expectTallies(received, accepted, rejected, discarded)
  }
}
