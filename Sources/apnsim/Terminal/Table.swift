import APNSimWire

/// Columns of text, each as wide as its widest cell.
enum Table {
  static func lines(_ rows: [[String]], indent: String = "", gap: String = "  ") -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column < widths.count {
          widths[column] = max(widths[column], cell.columns)
        } else {
          widths.append(cell.columns)
        }
      }
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.columns)
      }
      let line = indent + cells.joined(separator: gap)
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
