import APNSimCore
import APNSimScenario

/// A run as people read it: a line for each expectation, and below those that failed what came nearest.
struct ScenarioReportText {
  let report: ScenarioReport
  let style: Style

  init(_ report: ScenarioReport, style: Style) {
    self.report = report
    self.style = style
  }

  var lines: [String] {
    var lines = [
      style.paint(report.name.isEmpty ? "scenario" : TerminalText.visible(report.name), .bold)
        + " · seed \(report.seed)"
    ]
    for outcome in report.outcomes { lines += self.lines(outcome) }
    for failure in report.failures {
      lines.append("  \(style.paint("FAIL", .red))  \(TerminalText.visible("\(failure)"))")
    }
    lines.append(summary)
    return lines
  }

  private func lines(_ outcome: ScenarioOutcome) -> [String] {
    if outcome.isSatisfied {
      return [
        "  \(style.paint("ok", .green))    \(TerminalText.visible("\(outcome.text): \(outcome.expected)"))"
      ]
    }
    var lines = [
      "  \(style.paint("FAIL", .red))  "
        + TerminalText.visible(
          "\(outcome.text): expected \(outcome.expected), found \(outcome.found) (at \(outcome.time))"
        )
    ]
    for miss in outcome.nearMisses {
      for difference in miss.differences {
        lines.append(
          TerminalText.visible(
            "        \(miss.id): \(difference.path) expected \(difference.expected), found \(difference.actual)"
          )
        )
      }
    }
    return lines
  }

  private var summary: String {
    let failed = report.outcomes.count { !$0.isSatisfied } + report.failures.count
    guard failed > 0 else {
      return report.outcomes.isEmpty
        ? "  no expectations" : "  all expectations met (\(report.outcomes.count))"
    }
    return "  \(failed) of \(report.outcomes.count + report.failures.count) failed"
  }
}
