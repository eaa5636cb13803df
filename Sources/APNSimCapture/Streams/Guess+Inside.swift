internal import APNSimWire

/// Connections of which the capture does not have the beginning: what they begin with may be the end of anything, of a
/// payload or of a TLS record.
extension Guess {
  /// So many bytes of each side are looked at, two TLS records of the largest size among them, and so many pieces.
  static let byteCountInside = 40 * 1024
  static let pieceCountInside = 64

  /// What the first bytes of each side tell.
  init(
    beginningsInside client: ArraySlice<UInt8>,
    _ server: ArraySlice<UInt8>,
    serverByteCount: Int
  ) {
    if Self.isTLS(client) || Self.isTLS(server) {
      self = .tls
    } else if serverByteCount == 6, server.first == ErrorResponse.command {
      self = .gateway
    } else {
      self = .undecided
    }
  }

  /// What the rest of it tells.
  /// - Parameters:
  ///   - client: what has come of the side that connected.
  ///   - server: what has come of the service.
  init(inside client: [UInt8], _ server: [UInt8]) {
    if Self.hasFrame(client) {
      self = .gateway
    } else if Self.hasRecord(client) || Self.hasRecord(server) {
      self = .tls
    } else {
      self = .undecided
    }
  }

  private static func hasFrame(_ bytes: [UInt8]) -> Bool {
    var search = FrameSearch()
    if case .found = search.receive(bytes) { return true }
    return false
  }

  /// Whether a TLS record with data, or an alert, stands anywhere in these bytes, with another one behind it, or nothing
  /// yet. In frames that would be a header in a token or an identifier, whose length leads to another one.
  private static func hasRecord(_ bytes: [UInt8]) -> Bool {
    for place in bytes.indices where bytes[place] == 0x17 || bytes[place] == 0x15 {
      let record = bytes[place...]
      let most = bytes[place] == 0x15 ? mostInAlert : mostInRecord
      guard isTLS(record), let length = record.uint16(3), (1...most).contains(length) else { continue }
      let rest = record.dropFirst(5 + Int(length))
      if rest.isEmpty ? record.count == 5 + Int(length) : isTLS(rest) { return true }
    }
    return false
  }

  /// RFC 5246, section 6.2.3.
  private static let mostInRecord: UInt16 = (1 << 14) + 2048
  /// Two bytes, and what encryption adds to them.
  private static let mostInAlert: UInt16 = 96
}
