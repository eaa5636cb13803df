import APNSimCore
import APNSimWire

/// What the first bytes of a connection on an unknown port tell about it.
enum Guess: Hashable {
  case gateway
  case feedback
  case tls
  case somethingElse
  /// More bytes are needed.
  case undecided

  /// - Parameters:
  ///   - client: the first bytes of the side that connected.
  ///   - server: the first bytes of the side that listened.
  init(client: ArraySlice<UInt8>, server: ArraySlice<UInt8>) {
    if Self.isTLS(client) || Self.isTLS(server) {
      self = .tls
    } else if let first = client.first {
      // No command is 16 hex or more: a lone byte may still become TLS.
      self =
        first <= 2
        ? .gateway : client.count < 3 && (0x14...0x17).contains(first) ? .undecided : .somethingElse
    } else if server.count == 6, server.first == 8 {
      // An error response is all that a gateway says. Feedback that begins so would be of the year 1974.
      self = .gateway
    } else if let length = server.uint16(4) {
      self = (1...100).contains(length) ? .feedback : .somethingElse
    } else {
      self = .undecided
    }
  }

  /// A TLS record's header: type 20 to 23, version 3.0 to 3.4 (RFC 8446, section 5.1).
  static func isTLS(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let type = bytes.uint8(0), let major = bytes.uint8(1), let minor = bytes.uint8(2) else {
      return false
    }
    return (0x14...0x17).contains(type) && major == 3 && minor <= 4
  }
}
