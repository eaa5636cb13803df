package import APNSimWire

/// An action for the listener to perform on a gateway connection after it handed bytes in; almost always nothing.
package struct GatewayAction: Hashable, Sendable {
  /// The six bytes to write, as one TLS record.
  package var response: ErrorResponse?
  /// The number of the six that are written; fewer for a packet that is truncated on purpose.
  package var responseByteCount = ErrorResponse.byteCount
  /// Write them as two records instead (quirk `splitErrorPacket`).
  package var cut = AnswerCut.none
  package var ending = ConnectionEnding.none
  /// The end follows the response at once, without the pause (quirk `gluedClose`).
  package var gluesEnding = false

  package init() {}

  /// The bytes to write, one element a TLS record.
  package var records: [[UInt8]] {
    guard let bytes = response?.bytes.prefix(responseByteCount), !bytes.isEmpty else { return [] }
    guard let first = cut.first(of: bytes.count) else { return [Array(bytes)] }
    return [Array(bytes.prefix(first)), Array(bytes.dropFirst(first))]
  }

  package static let none = GatewayAction()

  /// Takes over what is to be done next, where that is anything. A connection has one answer and one end.
  mutating func follow(_ next: GatewayAction) {
    if next.response != nil || next.ending != .none { self = next }
  }
}
