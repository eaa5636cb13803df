internal import APNSimCore
internal import APNSimWire
internal import DequeModule

/// Redacted lines in their order, held back from the first one on whose bytes are not decided yet.
struct HeldLines {
  private struct Line {
    var text: [UInt8]
    var connection: ConnectionID?
    /// Where in the text the Base64 of its bytes stands, how many these are, and those that are decided.
    var place = 0
    var count = 0
    var bytes: [UInt8] = []

    var isDone: Bool { bytes.count == count }
  }

  private var lines: Deque<Line> = []
  /// The number of the first of them.
  private var first = 0
  private var byteCount = 0

  /// More bytes than this do not wait.
  private let most: Int

  init(most: Int) { self.most = most }

  /// The connection that holds everything up, where too much waits: it has to give out what it has.
  var overdue: ConnectionID? { byteCount > most ? lines.first?.connection : nil }

  /// Appends a line that is as it should be.
  mutating func append(_ text: [UInt8]) {
    lines.append(Line(text: text))
    byteCount += text.count
  }

  /// Appends a line that lacks `count` bytes, for which there is room at a place of its text.
  /// - Returns: its number.
  mutating func append(_ text: [UInt8], lacking count: Int, at place: Int, of connection: ConnectionID) -> Int
  {
    append(text)
    let index = lines.count - 1
    (lines[index].connection, lines[index].place, lines[index].count) = (connection, place, count)
    return first + index
  }

  /// Puts bytes into a line, as many as it still lacks, and takes them from the front of these.
  /// - Returns: whether the line has all of its bytes.
  mutating func fill(_ number: Int, from bytes: inout ArraySlice<UInt8>) -> Bool {
    let index = number - first
    guard lines.indices.contains(index) else { return true }
    let part = bytes.prefix(lines[index].count - lines[index].bytes.count)
    bytes = bytes.dropFirst(part.count)
    lines[index].bytes += part
    guard lines[index].isDone else { return false }
    let text = Array(Base64.encode(lines[index].bytes).utf8)
    lines[index].text.replaceSubrange(lines[index].place..<lines[index].place + text.count, with: text)
    return true
  }

  /// Hands out the lines up to the first one that lacks something, each with its newline.
  mutating func release(into output: inout [UInt8]) {
    let count = lines.prefix { $0.isDone }.count
    for line in lines.prefix(count) {
      output += line.text
      output.append(0x0A)
      byteCount -= line.text.count
    }
    lines.removeFirst(count)
    first += count
  }
}
