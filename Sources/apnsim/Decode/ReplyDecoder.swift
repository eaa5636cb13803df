import APNSimCore
import APNSimWire

/// Decodes a service's bytes: error responses or feedback tuples.
enum ReplyDecoder {
  /// One packet with its place, or what is left at the end.
  struct Piece {
    var heading: String
    var json: String
    var lines: [AnnotatedHex.Line]
  }

  static func responses(_ bytes: [UInt8], _ take: (Piece) -> Void) {
    var offset = 0
    while let response = ErrorResponse(bytes: bytes[offset...].prefix(ErrorResponse.byteCount)) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("offset", offset)
      writer.member("status", response.status.rawValue)
      writer.member("name", response.status.name)
      writer.member("identifier", response.identifier.hex)
      writer.endObject()
      take(
        Piece(
          heading: "error response at \(offset): \(response.status.name)",
          json: String(decoding: writer.bytes, as: UTF8.self),
          lines: AnnotatedHex.lines(of: response, at: offset)
        )
      )
      offset += ErrorResponse.byteCount
    }
    rest(bytes, from: offset, "expected six bytes that begin with 08", take)
  }

  static func tuples(_ bytes: [UInt8], _ take: (Piece) -> Void) {
    var offset = 0
    var count = 0
    bytes.withUnsafeBytes { buffer in
      while let (tuple, end) = FeedbackTuple.decode(buffer, from: offset) {
        let time = Timestamp(seconds: Int64(tuple.timestamp)).description
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("offset", offset)
        writer.member("timestamp", tuple.timestamp)
        writer.member("time", time)
        writer.member("token", hex: tuple.token)
        writer.endObject()
        count += 1
        take(
          Piece(
            heading: "tuple \(count) at \(offset), \(Number.counted(end - offset, "byte"))",
            json: String(decoding: writer.bytes, as: UTF8.self),
            lines: AnnotatedHex.lines(of: tuple, at: offset)
          )
        )
        offset = end
      }
    }
    rest(bytes, from: offset, "the tuple is incomplete", take)
  }

  private static func rest(
    _ bytes: [UInt8],
    from offset: Int,
    _ meaning: String,
    _ take: (Piece) -> Void
  ) {
    guard offset < bytes.count else { return }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("offset", offset)
    writer.member("unread", hex: bytes[offset...])
    writer.endObject()
    take(
      Piece(
        heading: "not decoded at \(offset), \(Number.counted(bytes.count - offset, "byte"))",
        json: String(decoding: writer.bytes, as: UTF8.self),
        lines: AnnotatedHex.lines(ofUnread: bytes[offset...].prefix(256), at: offset, meaning: meaning)
      )
    )
  }
}
