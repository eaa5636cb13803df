import APNSimCore
import APNSimWire

/// The kind of a connection, guessed from its first bytes.
enum Guess: Hashable {
  case gateway
  case feedback
  case tls
  case somethingElse
  /// More bytes are needed.
  case undecided

  /// The bytes of each side that are used: up to the length of a token in a frame of command 1.
  static let byteCount = 11

  /// - Parameters:
  ///   - client: the first bytes of the side that connected.
  ///   - server: the first bytes of the side that listened.
  /// - isPortKnown: true where the service's port says what it is, unless it speaks TLS.
  init(client: ArraySlice<UInt8>, server: ArraySlice<UInt8>, isPortKnown: Bool) {
    if TLSRecordHeader.begins(client) || TLSRecordHeader.begins(server) {
      self = .tls
    } else if let first = client.first {
      if first <= 2 {
        self = isPortKnown ? .gateway : Self.ofFrame(client, server)
      } else {
        // No command is 16 hex or more: a lone byte may still become TLS.
        self = client.count < 3 && (0x14...0x17).contains(first) ? .undecided : .somethingElse
      }
    } else if server.count == 6, server.first == 8 {
      // A gateway sends nothing but error responses. Feedback that begins like one would be of the year 1974.
      self = .gateway
    } else if let length = server.uint16(4) {
      self = (1...100).contains(length) ? .feedback : .somethingElse
    } else {
      self = .undecided
    }
  }

  /// Many protocols begin with a zero or a one, which are most often lengths: a frame has a token, which is no longer
  /// than 100 bytes, and all that a gateway says begins with the command of an error response.
  private static func ofFrame(_ client: ArraySlice<UInt8>, _ server: ArraySlice<UInt8>) -> Guess {
    if let first = server.first, first != ErrorResponse.command { return .somethingElse }
    guard client.first == 2 else {
      guard let length = client.uint16(client.first == 0 ? 1 : 9) else { return .undecided }
      return (1...100).contains(length) ? .gateway : .somethingElse
    }
    guard let high = client.uint16(1), let low = client.uint16(3), let item = client.uint8(5) else {
      return .undecided
    }
    let length = Int(high) << 16 | Int(low)
    return (1...5).contains(item) && (1...FrameDecoder.maximumFrameLength).contains(length)
      ? .gateway : .somethingElse
  }
}
