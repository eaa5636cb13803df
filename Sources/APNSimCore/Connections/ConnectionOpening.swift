/// What the core is told of a connection when it begins.
package struct ConnectionOpening: Hashable, Sendable {
  /// The provider's address and port, for people: `127.0.0.1:51234`.
  package var peer: String
  package var provider: ProviderIdentity
  /// `1.2` and the cipher's name; empty where no TLS is involved.
  package var tlsVersion: String
  package var cipher: String
  /// Its place among the connections of its listener, where it was counted when it came in; nil counts it now.
  package var ordinal: UInt32?

  package init(peer: String, provider: ProviderIdentity, tlsVersion: String = "", cipher: String = "") {
    self.peer = peer
    self.provider = provider
    self.tlsVersion = tlsVersion
    self.cipher = cipher
  }
}

/// The three doors a connection can come in by.
package enum Listener: String, Hashable, Sendable {
  case gateway
  case feedback
  case device
}

/// A connection's number, from 1 in the order they came; `c3` where people read it.
public struct ConnectionID: RawRepresentable, BitwiseCopyable, Hashable, Comparable, Sendable,
  CustomStringConvertible
{
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public init?(_ text: some StringProtocol) {
    guard text.first == "c", let number = UInt32(text.dropFirst()), number > 0, text == "c\(number)" else {
      return nil
    }
    rawValue = number
  }

  public var description: String { "c\(rawValue)" }

  public static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.rawValue < right.rawValue }
}

/// How a connection came to its end.
package enum ClosingReason: String, Hashable, Sendable {
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
}
