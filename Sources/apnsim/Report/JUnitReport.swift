import APNSimCore
import APNSimScenario

/// A report as JUnit XML: a test case an entry, and one for everything else that was looked at.
///
/// The number of cases is written before the cases, which therefore wait in a file until it is known.
final class JUnitReport<Written: Report>: ReportWriter {
  private let sink: ReportSink
  private let spool: Spool
  private let start = Timestamp.now
  private var text = ""
  private var (count, failed, skipped) = (0, 0, 0)

  init(waitingIn spool: Spool, to sink: @escaping ReportSink) { (self.spool, self.sink) = (spool, sink) }

  func add(_ entry: Written.Entry) { add(entry.testCase) }

  private func add(_ testCase: TestCase) {
    count += 1
    text += #"<testcase classname="\#(escaped(testCase.group))" name="\#(escaped(testCase.name))" time="0">"#
    if let reason = testCase.skipped {
      skipped += 1
      text += #"<skipped message="\#(escaped(reason))"/>"#
    }
    if let failure = testCase.failure {
      failed += 1
      text += #"<failure message="\#(escaped(failure.message))" type="\#(failure.kind)""#
      text += failure.details.isEmpty ? "/>" : ">\(escaped(failure.details))</failure>"
    }
    if let output = testCase.output { text += "<system-out>\(escaped(output))</system-out>" }
    text += "</testcase>\n"
    if text.utf8.count > Spool.piece { keep() }
  }

  func finish(_ report: Written, after span: Duration) throws {
    report.cases.forEach(add)
    keep()
    let seconds = Self.seconds(span)
    let counts = #"tests="\#(count)" failures="\#(failed)" errors="0""#
    let name = escaped(report.suite)
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts) time="\(seconds)">
      <testsuite name="\(name)" \(counts) skipped="\(skipped)" time="\(seconds)" timestamp="\(start.description.prefix(19))">

      """
    let remarks = escaped(report.remarks.joined(separator: "\n"))
    try sink(Array(head.utf8))
    try spool.copy(to: sink)
    try sink(Array("<system-out>\(remarks)</system-out>\n</testsuite>\n</testsuites>\n".utf8))
  }

  private func keep() {
    spool.write(text.utf8)
    text = ""
  }

  private static func seconds(_ span: Duration) -> String {
    let milliseconds = Int(span / .milliseconds(1))
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}

/// Text of XML.
private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\n", "\t": result.unicodeScalars.append(scalar)
    case "\u{FFFE}", "\u{FFFF}": break
    default:
      guard scalar.value >= 0x20 else { continue }
      if TerminalText.isObeyed(scalar) {
        result += "&#x\(String(scalar.value, radix: 16));"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}
