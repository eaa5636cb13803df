internal import APNSimCore
internal import APNSimWire

/// Journal lines as server-sent events: `id:` is the sequence number, `event:` the name, `data:` the line.
enum ServerSentEvent {
  static func append(_ slice: Simulator.JournalSlice, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + slice.lines.count + 64 * slice.marks.count)
    var start = 0
    for mark in slice.marks {
      bytes += "id: \(mark.seq)\nevent: \(mark.event)\ndata: ".utf8
      bytes += slice.lines[start...mark.newline]
      bytes.append(UInt8(ascii: "\n"))
      start = mark.newline + 1
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
}
