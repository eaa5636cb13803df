import APNSimWire

/// Guesses for connections without their beginning: their first bytes may be the end of anything, of a payload or of a
/// TLS record.
extension Guess {
  /// The bytes of each side that are searched, enough for two TLS records of the largest size, and the most pieces.
  static let byteCountInside = 40 * 1024
  static let pieceCountInside = 64

  /// Guesses from the first bytes of each side.
  init(
    beginningsInside client: ArraySlice<UInt8>,
    _ server: ArraySlice<UInt8>,
    serverByteCount: Int
  ) {
    if TLSRecordHeader.begins(client) || TLSRecordHeader.begins(server) {
      self = .tls
    } else if serverByteCount == 6, server.first == ErrorResponse.command {
      self = .gateway
    } else {
      self = .undecided
    }
  }

  /// Guesses from the bytes after them.
  /// - Parameters:
  ///   - client: the bytes of the side that connected.
  ///   - server: the bytes of the service.
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

  /// True where a TLS record with data, or an alert, stands anywhere in these bytes, followed by another one or by
  /// nothing yet. In frames that would take a header in a token or an identifier whose length leads to another one.
  private static func hasRecord(_ bytes: [UInt8]) -> Bool {
    for place in bytes.indices where bytes[place] == 0x17 || bytes[place] == 0x15 {
      let record = bytes[place...]
      let most = bytes[place] == 0x15 ? mostInAlert : mostInRecord
      guard TLSRecordHeader.begins(record), let length = record.uint16(3), (1...most).contains(length) else {
        continue
      }
      let rest = record.dropFirst(5 + Int(length))
      if rest.isEmpty ? record.count == 5 + Int(length) : TLSRecordHeader.begins(rest) { return true }
    }
    return false
  }

  /// RFC 5246, section 6.2.3.
  private static let mostInRecord: UInt16 = (1 << 14) + 2048
  /// Two bytes, and what encryption adds to them.
  private static let mostInAlert: UInt16 = 96
}
