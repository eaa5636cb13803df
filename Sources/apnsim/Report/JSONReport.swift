import APNSimWire

/// A report for programs: one object, whose entries are written as they come.
final class JSONReport<Written: Report>: ReportWriter {
  private let sink: ReportSink
  private var writer = JSONWriter()
  private var failure: (any Error)?

  /// - Parameter writeHead: writes the members before the entries.
  init(_ writeHead: (inout JSONWriter) -> Void = { _ in }, to sink: @escaping ReportSink) {
    self.sink = sink
    writer.beginObject()
    writeHead(&writer)
    writer.key(Written.list)
    writer.beginArray()
  }

  func add(_ entry: Written.Entry) {
    writer.beginObject()
    entry.write(to: &writer)
    writer.endObject()
    if writer.bytes.count > Spool.piece { write() }
  }

  func finish(_ report: Written, after span: Duration) throws {
    writer.endArray()
    report.writeEnd(to: &writer)
    writer.endObject()
    writer.newline()
    write()
    if let failure { throw failure }
  }

  private func write() {
    do {
      try sink(Array(TerminalText.safe(String(decoding: writer.bytes, as: UTF8.self)).utf8))
    } catch {
      failure = failure ?? error
    }
    writer.removeBytes()
  }
}
