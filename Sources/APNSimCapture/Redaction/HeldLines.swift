import APNSimCore
import APNSimWire
import DequeModule

/// Redacted lines in their order, held from the first one with undecided bytes on.
struct HeldLines {
  private struct Line {
    var text: [UInt8]
    var connection: ConnectionID?
    /// The place in the text of the Base64 of its bytes, their number, and those that are decided.
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

  /// The connection that blocks the first line, where too many bytes wait: it has to release what it has.
  var overdue: ConnectionID? { byteCount > most ? lines.first?.connection : nil }

  /// Appends a complete line.
  mutating func append(_ text: [UInt8]) {
    lines.append(Line(text: text))
    byteCount += text.count
  }

  /// Appends a line that lacks `count` bytes at a place of its text.
  /// - Returns: its number.
  mutating func append(_ text: [UInt8], lacking count: Int, at place: Int, of connection: ConnectionID) -> Int
  {
    append(text)
    let index = lines.count - 1
    (lines[index].connection, lines[index].place, lines[index].count) = (connection, place, count)
    return first + index
  }

  /// Fills a line with as many bytes as it lacks, and removes them from the front of `bytes`.
  /// - Returns: true once the line has all of its bytes.
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

  /// Takes the lines up to the first incomplete one, each with its newline.
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
