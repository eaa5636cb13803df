package import APNSimWire

/// The end of an exchange with a gateway.
package enum SendEnding: Sendable, Equatable {
  /// Nothing came back within the wait: with this protocol, success.
  case silence
  /// The gateway answered, which it does once, before it closes the connection.
  case answered(ErrorResponse)
  /// The gateway closed the connection without an answer.
  case closed
  /// The gateway wrote bytes that are no error response.
  case unintelligible([UInt8])
  /// The connection broke; the system's words.
  case broken(String)
  /// The gateway stopped reading; how much it had not read is unknown.
  case stalled
}
