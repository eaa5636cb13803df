/// The lines of a report as text, as bytes: there may be millions.
struct ReportRows {
  private(set) var bytes: [UInt8] = []
  let style: Style
  /// The width of the widest column.
  private static let spaces = [UInt8](repeating: 0x20, count: 28)

  init(_ style: Style) { self.style = style }

  mutating func add(line: String) {
    put(TerminalText.safe(line))
    endLine()
  }

  /// Adds cells to a line, which has nothing that a terminal would obey.
  mutating func put(_ cell: String) {
    var cell = cell
    cell.withUTF8 { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ cell: String, to width: Int) {
    put(cell)
    bytes += Self.spaces[..<max(2, width - cell.utf8.count)]
  }

  mutating func endLine() { bytes.append(0x0A) }

  /// Paints what was put since a place in `bytes`.
  mutating func paint(from start: Int, _ colour: Style.Colour) {
    guard style.isOn else { return }
    let row = String(decoding: bytes[start...], as: UTF8.self)
    bytes.removeSubrange(start...)
    put(TerminalText.safe(style.paint(row, colour)))
  }

  /// The rows were written as they came.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
