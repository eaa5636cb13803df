import APNSimWire

/// The findings of a command: an entry for each thing that was looked at, and what stands before and after them. It is written as
/// text, as JSON or as JUnit XML.
protocol Report {
  associatedtype Entry: ReportEntry

  /// The lines before and after the entries.
  func head(_ style: Style) -> [String]
  func end(_ style: Style) -> [String]
  /// The most entries in the text.
  var mostShown: Int { get }

  /// The member of JSON that has the entries, and those before and after it.
  static var list: StaticString { get }
  func writeHead(to writer: inout JSONWriter)
  func writeEnd(to writer: inout JSONWriter)

  /// The command that was run, with which file.
  var suite: String { get }
  /// The cases that are no entries.
  var cases: [TestCase] { get }
  /// The suite's words beside its cases.
  var remarks: [String] { get }
}

/// One of the things that a report tells of.
protocol ReportEntry {
  /// Writes its lines of text.
  func write(to rows: inout ReportRows)
  /// Writes the members of its object.
  func write(to writer: inout JSONWriter)
  var testCase: TestCase { get }
}

/// A case of JUnit XML.
struct TestCase {
  struct Failure {
    var kind: String
    var message: String
    var details = ""
  }

  /// The group that it belongs to: a connection, a file.
  var group: String
  var name: String
  var failure: Failure?
  /// The reason why it was not looked at.
  var skipped: String?
  var output: String?
}

/// Writes a report while its entries come.
protocol ReportWriter<Written>: AnyObject {
  associatedtype Written: Report

  func add(_ entry: Written.Entry)
  /// - Parameter span: how long it took to find all of it.
  func finish(_ report: Written, after span: Duration) throws
}

/// Takes the pieces of a written report.
typealias ReportSink = ([UInt8]) throws -> Void

extension Report {
  var mostShown: Int { .max }
  func writeEnd(to writer: inout JSONWriter) {}
  func writeHead(to writer: inout JSONWriter) {}
  var remarks: [String] { [] }

  /// Writes a whole report to the standard output, as text or JSON.
  func write(_ entries: some Collection<Entry>, _ output: OutputOptions) throws {
    if output.isJSON {
      try write(entries, with: JSONReport(writeHead, to: Output.file))
    } else {
      try write(entries.prefix(mostShown), with: TextReport(output.style, to: Output.file))
    }
  }

  func write(_ entries: some Sequence<Entry>, with writer: some ReportWriter<Self>) throws {
    for entry in entries { writer.add(entry) }
    try writer.finish(self, after: .zero)
  }
}
