internal import APNSimWire

/// Journal lines as server-sent events: `id:` is the sequence number, `event:` the name, `data:` the line.
enum ServerSentEvent {
  private static let seqKey = Array(#""seq":"#.utf8)
  private static let eventKey = Array(#""event":""#.utf8)

  /// - Parameter lines: whole lines, each of which begins with `seq`, `time` and `event`.
  static func append(_ lines: [UInt8], to bytes: inout [UInt8]) {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      if let seq = value(behind: seqKey, in: line) {
        bytes += Array("id: ".utf8) + seq + Array("\n".utf8)
      }
      if let name = value(behind: eventKey, in: line) {
        bytes += Array("event: ".utf8) + name + Array("\n".utf8)
      }
      bytes += Array("data: ".utf8)
      bytes += line
      bytes += Array("\n\n".utf8)
    }
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
  private static func value(behind key: [UInt8], in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = line.prefix(160)
    guard let first = key.first else { return nil }
    var place = start.startIndex
    while let found = start[place...].firstIndex(of: first) {
      if start[found...].starts(with: key) {
        let rest = line[(found + key.count)...]
        return rest.prefix { byte in
          byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "}")
        }
      }
      place = found + 1
    }
    return nil
  }
}
