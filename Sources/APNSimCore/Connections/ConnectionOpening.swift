import APNSimWire

/// The facts of a connection that begins.
package struct ConnectionOpening: Hashable, Sendable {
  /// The provider's address and port, for people: `127.0.0.1:51234`.
  package var peer: String
  package var provider: ProviderIdentity
  /// `1.2` and the cipher's name; empty where no TLS is involved.
  package var tlsVersion: String
  package var cipher: String
  /// Its place among the connections of its listener, where it was counted when it came in; nil counts it now.
  package var ordinal: UInt32?

  package init(
    peer: String,
    provider: ProviderIdentity,
    tlsVersion: String = "",
    cipher: String = "",
    ordinal: UInt32? = nil
  ) {
    self.peer = peer
    self.provider = provider
    self.tlsVersion = tlsVersion
    self.cipher = cipher
    self.ordinal = ordinal
  }
}

/// The doors a connection can come in by.
package enum Listener: String, Hashable, Sendable, JSONWord {
  case gateway
  case feedback
  case device
  /// Requests over HTTP/2.
  case http2
}

extension Listener {
  /// The port where nobody says otherwise: Apple's, and for the sandbox, which Apple has on another host, a
  /// hundred more. Devices of both environments come to one port.
  package func usualPort(in environment: PushEnvironment) -> UInt16 {
    switch (self, environment) {
    case (.gateway, .production): 2195
    case (.feedback, .production): 2196
    case (.gateway, .sandbox): 2295
    case (.feedback, .sandbox): 2296
    case (.device, _): 5223
    case (.http2, .production): 2197
    case (.http2, .sandbox): 2297
    }
  }
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

/// The reason to turn a provider with a good certificate away after its handshake. It is in the journal already.
package enum TurnedAway: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no room for another app.
  case noRoom
  /// The provider connects and disconnects too often, and `enforce` is on. "Rapidly and repeatedly established and
  /// torn down" connections may count as a denial of service (Programming Guide, "Provider Communication").
  case churn
  /// Nothing can be kept at present, and so nothing is taken in. The journal has nothing of it.
  case suspended

  package var description: String {
    switch self {
    case .noRoom: "there is no room for another app than those already known"
    case .churn: "it connects and disconnects too often, which --enforce refuses until it has been quiet"
    case .suspended: "the state finds no room on its disk, and nothing is taken in that is not kept"
    }
  }
}

extension ConnectionID: Kept {}

extension Listener: Kept, Comparable {
  package static func < (one: Listener, other: Listener) -> Bool { one.rawValue < other.rawValue }
}

extension ConnectionOpening: KeptByMembers {
  static let members = Members(Self.init, \.peer, \.provider, \.tlsVersion, \.cipher, \.ordinal)
}
