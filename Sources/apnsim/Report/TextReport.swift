/// A report for people. Its first lines are known last: the entries wait for them.
final class TextReport<Written: Report>: ReportWriter {
  private let sink: ReportSink
  private let spool: Spool?
  private var rows: ReportRows
  private var count = 0

  /// - Parameter spool: where many entries wait.
  init(_ style: Style, waitingIn spool: Spool? = nil, to sink: @escaping ReportSink) {
    (self.spool, self.sink, rows) = (spool, sink, ReportRows(style))
  }

  func add(_ entry: Written.Entry) {
    entry.write(to: &rows)
    count += 1
    guard let spool, rows.bytes.count > Spool.piece else { return }
    spool.write(rows.bytes)
    rows.removeAll()
  }

  func finish(_ report: Written, after span: Duration) throws {
    var head = ReportRows(rows.style)
    for line in report.head(rows.style) { head.add(line: line) }
    try sink(head.bytes)
    if report.mostShown > 0 { try spool?.copy(to: sink) } else { rows.removeAll() }
    for line in report.end(rows.style) { rows.add(line: line) }
    try sink(rows.bytes)
  }
}
