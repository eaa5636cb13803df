package import APNSimWire

/// The interface a notification came in by, with what no other interface has.
package enum Interface: BitwiseCopyable, Hashable, Sendable {
  /// The binary interface: the command byte, whatever it was, and what kept the bytes from being a frame.
  case binary(command: UInt8, defect: FrameDefect)
  /// A request over HTTP/2: what is its own is read from the evidence.
  case http2

  /// The name of it in every answer and query.
  package var name: String {
    switch self {
    case .binary: "binary"
    case .http2: "http2"
    }
  }

  /// The command byte of the binary interface.
  package var command: UInt8? {
    switch self {
    case .binary(let command, _): command
    case .http2: nil
    }
  }
}
