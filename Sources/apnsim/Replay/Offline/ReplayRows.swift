import APNSimCapture
import APNSimCore
import APNSimWire

/// The lines of a replay's table, as bytes: there may be millions.
struct ReplayRows {
  private(set) var bytes: [UInt8] = []
  private let style: Style
  private var hasHead = false
  /// The width of the widest column.
  private static let spaces = [UInt8](repeating: 0x20, count: 28)

  init(_ style: Style) { self.style = style }

  /// A row, under the table's head if it is the first one.
  mutating func add(_ notification: ReplayedNotification) {
    if !hasHead { addHead() }
    let verdict = notification.verdict
    let start = bytes.count
    put(notification.connection.description, to: 12)
    bytes.append(UInt8(ascii: "n"))
    put(String(notification.number), to: 13)
    put(verdict.identifier?.hex ?? verdict.request.map { "stream \($0.stream)" } ?? "-", to: 12)
    put(VerdictText.of(verdict), to: 28)
    put(notification.answer.isEmpty ? "-" : Hex.encode(notification.answer))
    if notification.answerWaits { put(" later") }
    if let difference = notification.stream {
      put("  \(TerminalText.visible(difference.summary))")
      paint(from: start, .yellow)
    } else if let recorded = notification.recorded, !notification.isSame {
      put("  recorded: \(VerdictText.of(recorded))")
      paint(from: start, .yellow)
    }
    bytes.append(0x0A)
  }

  mutating func add(line: String) {
    put(line)
    bytes.append(0x0A)
  }

  /// The rows were written as they came.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  private mutating func addHead() {
    hasHead = true
    for (title, width) in [("connection", 12), ("notification", 14), ("identifier", 12), ("verdict", 28)] {
      put(title, to: width)
    }
    put("answer")
    paint(from: 0, .bold)
    bytes.append(0x0A)
  }

  private mutating func put(_ cell: String) {
    var cell = cell
    cell.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ cell: String, to width: Int) {
    put(cell)
    bytes += Self.spaces[..<max(2, width - cell.utf8.count)]
  }

  private mutating func paint(from start: Int, _ colour: Style.Colour) {
    guard style.isOn else { return }
    let row = String(decoding: bytes[start...], as: UTF8.self)
    bytes.removeSubrange(start...)
    put(TerminalText.safe(style.paint(row, colour)))
  }
}
