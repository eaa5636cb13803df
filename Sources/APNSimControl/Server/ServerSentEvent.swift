internal import APNSimWire

/// Journal lines as server-sent events: `id:` is the sequence number, `event:` the name, `data:` the line.
enum ServerSentEvent {
  private static let seqKey: StaticString = #""seq":"#
  private static let eventKey: StaticString = #""event":""#

  /// - Parameter lines: whole lines, each of which begins with `seq`, `time` and `event`.
  static func append(_ lines: [UInt8], to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + lines.count + lines.count / 4)
    lines.withUnsafeBytes { lines in
      var rest = lines[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        append(line: UnsafeRawBufferPointer(rebasing: rest[..<end]), to: &bytes)
        rest = rest[min(end + 1, rest.endIndex)...]
      }
    }
  }

  private static func append(line: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    guard !line.isEmpty else { return }
    if let seq = value(behind: seqKey, in: line) { append("id: ", seq, "\n", to: &bytes) }
    if let name = value(behind: eventKey, in: line) { append("event: ", name, "\n", to: &bytes) }
    append("data: ", line[...], "\n\n", to: &bytes)
  }

  private static func append(
    _ field: StaticString,
    _ value: Slice<UnsafeRawBufferPointer>,
    _ end: StaticString,
    to bytes: inout [UInt8]
  ) {
    bytes += UnsafeRawBufferPointer(start: field.utf8Start, count: field.utf8CodeUnitCount)
    bytes += value
    bytes += UnsafeRawBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
  }

  /// Something is missing here: `event: gap`.
  /// - Parameter missed: how many records, as far as that is known.
  static func appendGap(_ missed: UInt64, _ reason: String, to bytes: inout [UInt8]) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("event", "gap")
    writer.member("missed", missed)
    writer.member("reason", reason)
    writer.endObject()
    bytes += Array("event: gap\ndata: ".utf8) + writer.bytes + Array("\n\n".utf8)
  }

  /// What follows a key up to the end of a number or a name; only the beginning of a line is looked at.
  private static func value(behind key: StaticString, in line: UnsafeRawBufferPointer)
    -> Slice<UnsafeRawBufferPointer>?
  {
    let key = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    let start = line.prefix(160)
    var place = start.startIndex
    while let found = start[place...].firstIndex(of: key[0]) {
      if start[found...].starts(with: key) {
        return line[(found + key.count)...].prefix { byte in
          byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "}")
        }
      }
      place = found + 1
    }
    return nil
  }
}
