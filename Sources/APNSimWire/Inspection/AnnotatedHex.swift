/// Annotated hexadecimal dumps of frames, responses and tuples, field by field, for `apnsim decode` and the control
/// API.
package enum AnnotatedHex {
  /// One field, or one row of a long one.
  package struct Line: Hashable, Sendable {
    /// The offset in the buffer.
    package var offset: Int
    package var bytes: [UInt8]
    /// The field's name; empty on the further rows of a field.
    package var field: String
    /// Its meaning, with the error after it.
    package var meaning: String
    /// The mistake in it; nil where there is none.
    package var error: String?

    package init(offset: Int, bytes: [UInt8], field: String, meaning: String) {
      self.offset = offset
      self.bytes = bytes
      self.field = field
      self.meaning = meaning
    }
  }

  /// The maximum number of bytes in a row.
  package static let rowByteCount = 16

  /// The lines of a notification frame of any form. `frame` must come from `buffer`.
  package static func lines(of frame: Frame, in buffer: UnsafeRawBufferPointer) -> [Line] {
    FrameAnnotator(frame, in: buffer).lines
  }

  package static func lines(of response: ErrorResponse, at offset: Int = 0) -> [Line] {
    let bytes = response.bytes
    return [
      Line(offset: offset, bytes: [bytes[0]], field: "command", meaning: "8, error response"),
      Line(
        offset: offset + 1,
        bytes: [bytes[1]],
        field: "status",
        meaning: "\(response.status.rawValue), \(response.status.name)"
      ),
      Line(
        offset: offset + 2,
        bytes: Array(bytes[2...]),
        field: "identifier",
        meaning: response.identifier.meaning
      ),
    ]
  }

  package static func lines(of tuple: FeedbackTuple, at offset: Int = 0) -> [Line] {
    var bytes: [UInt8] = []
    tuple.encode(into: &bytes)
    return [
      Line(
        offset: offset,
        bytes: Array(bytes[..<4]),
        field: "timestamp",
        meaning: "\(tuple.timestamp), \(CivilTime(tuple.timestamp))"
      ),
      Line(
        offset: offset + 4,
        bytes: Array(bytes[4..<6]),
        field: "token length",
        meaning: "\(tuple.token.count)"
      ),
    ] + rows("device token", Array(bytes[6...]), at: offset + 6, meaning: "")
  }

  /// The lines of bytes that were not decoded: the rest of a stream, or of a malformed frame.
  package static func lines(
    ofUnread bytes: some Collection<UInt8>,
    at offset: Int,
    meaning: String
  ) -> [Line] {
    rows("unread", Array(bytes), at: offset, meaning: meaning)
  }

  /// Renders lines in columns: offset, bytes, field, meaning.
  package static func render(_ lines: [Line]) -> String {
    let width = lines.map { min($0.bytes.count, rowByteCount) * 3 }.max() ?? 0
    let fieldWidth = lines.map(\.field.count).max() ?? 0
    return lines.map { line in
      let offset = String(line.offset, radix: 16)
      let columns = [
        String(repeating: "0", count: max(0, 6 - offset.count)) + offset,
        padded(line.bytes.map { Hex.encode([$0]) }.joined(separator: " "), to: max(0, width - 1)),
        padded(line.field, to: fieldWidth),
        line.meaning,
      ]
      return columns.joined(separator: "  ").trimmingTrailingSpaces + "\n"
    }.joined()
  }

  /// Splits a field into rows of 16 bytes; the first row has its name and meaning.
  static func rows(_ field: String, _ bytes: [UInt8], at offset: Int, meaning: String) -> [Line] {
    stride(from: 0, to: bytes.count, by: rowByteCount).map { start in
      Line(
        offset: offset + start,
        bytes: Array(bytes[start..<min(start + rowByteCount, bytes.count)]),
        field: start == 0 ? field : "",
        meaning: start == 0 ? meaning : ""
      )
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension NotificationIdentifier {
  /// The bytes in hexadecimal and as the integers of either byte order, since providers write both.
  var meaning: String {
    rawValue == rawValue.byteSwapped
      ? "\(hex), \(rawValue)" : "\(hex), \(rawValue) or \(rawValue.byteSwapped) little endian"
  }
}

extension String {
  var trimmingTrailingSpaces: String {
    String(String.UnicodeScalarView(Array(unicodeScalars.reversed().drop { $0 == " " }).reversed()))
  }
}
