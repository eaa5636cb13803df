import APNSimCore
import APNSimWire

/// The kind of a connection, guessed from its first bytes.
enum Guess: Hashable {
  case gateway
  case feedback
  /// The HTTP/2 provider API.
  case http2
  case tls
  case somethingElse
  /// More bytes are needed.
  case undecided

  /// The bytes of each side that are used: up to the length of a token in a frame of command 1.
  static let byteCount = 11

  /// - Parameters:
  ///   - client: the first bytes of the side that connected.
  ///   - server: the first bytes of the side that listened.
  ///   - isPortKnown: true where the service's port says what it is, unless it speaks TLS.
  init(client: ArraySlice<UInt8>, server: ArraySlice<UInt8>, isPortKnown: Bool) {
    if TLSRecordHeader.begins(client) || TLSRecordHeader.begins(server) {
      self = .tls
    } else if Self.isPreface(client) || client.isEmpty && Self.isSettings(server) {
      self = .http2
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

  /// True for as much as there is of an HTTP/2 client's first bytes, but for a few.
  private static func isPreface(_ client: ArraySlice<UInt8>) -> Bool {
    client.count >= 5 && "PRI * HTTP/2".utf8.starts(with: client.prefix(byteCount))
  }

  /// True for the header of a server's SETTINGS (RFC 9113, section 6.5), which may come before the client's.
  private static func isSettings(_ server: ArraySlice<UInt8>) -> Bool {
    guard let high = server.uint8(0), let length = server.uint16(1), let type = server.uint16(3) else {
      return false
    }
    return high == 0 && length % 6 == 0 && length <= 600 && type == 0x0400
      && server.uint16(5) == 0 && server.uint16(7) == 0
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
