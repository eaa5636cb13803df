import APNSimWire

/// The beginning and the present end of a recording, which one that begins anew in the middle needs: its first line,
/// the last event and the bytes of a line that has not ended yet.
struct RecordingCourse {
  /// The first line, a header as a rule; empty until it is whole.
  private var header: [UInt8] = []
  /// The bytes after the last whole line.
  private(set) var partial: [UInt8] = []
  /// The first bytes of the last whole line: its sequence number and its time.
  private var last: [UInt8] = []

  private static let newline = UInt8(ascii: "\n")
  /// The number of bytes of a line that hold both.
  private static let beginning = 96

  init() {}

  /// The course of a recording that is continued.
  init(after end: RecordingEnd) {
    header = end.header
    last = Array(end.last.prefix(Self.beginning))
  }

  /// Takes note of the next bytes.
  mutating func follow(_ bytes: UnsafeRawBufferPointer) {
    guard let end = bytes.lastIndex(of: Self.newline) else { return partial.append(contentsOf: bytes) }
    if header.isEmpty { header = partial + bytes[...(bytes.firstIndex(of: Self.newline) ?? end)] }
    if let before = bytes[..<end].lastIndex(of: Self.newline) {
      last = Array(bytes[(before + 1)..<end].prefix(Self.beginning))
    } else {
      last = Array(
        (partial.prefix(Self.beginning) + bytes[..<end].prefix(Self.beginning)).prefix(Self.beginning)
      )
    }
    partial = Array(bytes[(end + 1)...])
  }

  /// The first line of a part that begins with an event, or with the one after the last.
  /// - Returns: the line, empty where the first line was no header, and the event.
  func continuation(from first: UInt64? = nil) -> (line: [UInt8], event: UInt64) {
    guard let members = (try? JSONValue.parse(header))?.objectValue,
      members.first?.key == "apnsim"
    else { return ([], 0) }
    let begun =
      JSONValue.object(members).member("completeFrom")?.intValue.flatMap { UInt64(exactly: $0) } ?? 1
    let event = max(begun, first ?? Self.number(after: #"{"seq":"#, in: last).map { $0 &+ 1 } ?? begun)
    // Where no event is lost, the recording is what it was.
    guard event > begun else { return (header, event) }
    var writer = JSONWriter(reservingCapacity: header.count + 64)
    writer.beginObject()
    for member in members where member.key != "completeFrom" && member.key != "continues" {
      writer.key(member.key)
      guard member.key == "clock" else {
        writer.value(member.value)
        continue
      }
      let clock = (member.value.objectValue ?? []).filter { $0.key != "now" }
      writer.value(.object(clock + (time.map { [JSONValue.Member(key: "now", value: .string($0))] } ?? [])))
    }
    writer.member("completeFrom", event)
    writer.member("continues", true)
    writer.endObject()
    writer.newline()
    return (writer.bytes, event)
  }

  /// The sequence number of the first of some lines.
  static func event(of lines: some Collection<UInt8>) -> UInt64? { number(after: #"{"seq":"#, in: lines) }

  private static func number(after key: String, in line: some Collection<UInt8>) -> UInt64? {
    guard line.starts(with: key.utf8) else { return nil }
    let digits = line.dropFirst(key.utf8.count).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return UInt64(String(decoding: digits, as: UTF8.self))
  }

  /// The time of the last event.
  private var time: String? {
    let key = Array(#""time":""#.utf8)
    guard let start = last.firstRange(of: key) else { return nil }
    let text = last[start.upperBound...]
    return text.firstIndex(of: UInt8(ascii: "\"")).map { String(decoding: text[..<$0], as: UTF8.self) }
  }
}
