import APNSimCore
import APNSimScenario
import APNSimWire

/// A run of a scenario: an entry for each expectation.
extension ScenarioReport: Report {
  typealias Entry = ScenarioOutcome

  // MARK: Text

  func head(_ style: Style) -> [String] {
    [style.paint(name.isEmpty ? "scenario" : TerminalText.visible(name), .bold) + " · seed \(seed)"]
  }

  func end(_ style: Style) -> [String] {
    failures.map { "  \(style.paint("FAIL", .red))  \(TerminalText.visible($0))" } + [summary]
  }

  private var summary: String {
    let failed = outcomes.count { !$0.isSatisfied } + failures.count
    guard failed > 0 else {
      return outcomes.isEmpty ? "  no expectations" : "  all expectations met (\(outcomes.count))"
    }
    return "  \(failed) of \(outcomes.count + failures.count) failed"
  }

  // MARK: JSON

  static var list: StaticString { "expectations" }

  func writeHead(to writer: inout JSONWriter) {
    writer.member("scenario", name)
    writer.member("satisfied", isSatisfied)
    writer.member("seed", seed)
    writer.member("start", start.description)
    writer.member("end", end.description)
  }

  func writeEnd(to writer: inout JSONWriter) {
    writer.list("connections", connections) { $0.write(to: &$1) }
    writer.member("failures", failures)
  }

  // MARK: JUnit

  var suite: String { "apnsim scenario run \(name)" }

  var cases: [TestCase] {
    failures.map { TestCase(group: "steps", name: $0, failure: TestCase.Failure(kind: "step", message: $0)) }
  }
}

/// Below an expectation that does not hold stands what came nearest.
extension ScenarioOutcome: ReportEntry {
  func write(to rows: inout ReportRows) {
    let isText = isSatisfied ? rows.style.paint("ok", .green) + "    " : rows.style.paint("FAIL", .red) + "  "
    rows.add(line: "  \(isText)" + TerminalText.visible("\(text): \(words)"))
    for line in nearest { rows.add(line: TerminalText.visible("        \(line)")) }
  }

  private var words: String {
    isSatisfied ? expected : "expected \(expected), found \(found) (at \(time))"
  }

  private var nearest: [String] {
    guard !isSatisfied else { return [] }
    return nearMisses.flatMap { miss in
      miss.differences.map { "\(miss.id): \($0.path) expected \($0.expected), found \($0.actual)" }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.member("text", text)
    writer.member("satisfied", isSatisfied)
    writer.member("expected", expected)
    writer.member("found", found)
    writer.member("time", time.description)
    writer.list("nearMisses", nearMisses) { miss, writer in
      writer.member("id", miss.id)
      writer.list("differences", miss.differences) { difference, writer in
        writer.member("path", difference.path)
        writer.member("expected", difference.expected)
        writer.member("actual", difference.actual)
      }
    }
  }

  var testCase: TestCase {
    let failure = TestCase.Failure(
      kind: "expectation",
      message: words,
      details: nearest.joined(separator: "\n")
    )
    return TestCase(group: "expectations", name: text, failure: isSatisfied ? nil : failure)
  }
}

extension ObservedConnection {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("id", id?.description)
    writer.member("received", hex: received)
    writer.member("ending", ending.rawValue)
    writer.key("alert")
    if let alert { writer.int(alert) } else { writer.null() }
    if let view {
      for count in ConnectionCount.allCases {
        writer.key(count.rawValue)
        writer.int(count.value(in: view))
      }
    }
  }
}
