package import APNSimWire

/// What the listener is to do on a gateway connection after it handed bytes in; almost always nothing.
package struct GatewayAction: Hashable, Sendable {
  /// How the connection ends.
  package enum Ending: Hashable, Sendable {
    /// It does not.
    case none
    /// In the way that cannot lose the response: close_notify, half-close, then read and discard until the
    /// provider's end of input or the linger time.
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

  /// The six bytes to write, as one TLS record.
  package var response: ErrorResponse?
  /// How many of the six are written; fewer for a packet that is truncated on purpose.
  package var responseByteCount = ErrorResponse.byteCount
  /// Write them as two records of 1 and 5 bytes instead (quirk `splitErrorPacket`).
  package var splitsResponse = false
  package var ending = Ending.none

  package init() {}

  /// What is to be written, one element a TLS record.
  package var records: [[UInt8]] {
    guard let bytes = response?.bytes.prefix(responseByteCount), !bytes.isEmpty else { return [] }
    return splitsResponse && bytes.count > 1
      ? [Array(bytes.prefix(1)), Array(bytes.dropFirst())] : [Array(bytes)]
  }

  package static let none = GatewayAction()

  /// Takes over what is to be done next, where that is anything. A connection has one answer and one end.
  mutating func follow(_ next: GatewayAction) {
    if next.response != nil || next.ending != .none { self = next }
  }
}
