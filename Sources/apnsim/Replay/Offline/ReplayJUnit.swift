import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire

/// A replay as JUnit XML: a test case a notification, failed where it came out otherwise than recorded, and one for
/// everything else that was compared.
///
/// The number of cases is written before the cases, which therefore wait in a file until it is known.
final class ReplayJUnit: ReplayReport {
  private let output: CaptureOutput
  private let cases: Spool
  private let name: String
  private let start: Timestamp
  private var text = ""
  private var count = 0
  private var failed = 0

  /// - Parameter name: the capture's.
  init(_ path: String, name: String) throws {
    output = try CaptureOutput(path, nil, for: .other)
    cases = try Spool()
    self.name = name
    start = .now
  }

  func add(_ notification: ReplayedNotification) {
    let verdict = notification.verdict
    var name = "n\(notification.number)"
    if let identifier = verdict.identifier { name += " \(identifier.hex)" }
    if let request = verdict.request { name += " stream \(request.stream)" }
    open(name, of: notification.connection.description)
    if let difference = notification.stream {
      let words = Self.escaped(difference.summary)
      text += #"<failure message="\#(words)" type="request"/>"#
      failed += 1
    } else if let recorded = notification.recorded, !notification.isSame {
      let words =
        "recorded \(VerdictText.of(recorded)), replayed "
        + VerdictText.of(verdict.outcome, verdict.status, verdict.request?.answer)
      text += #"<failure message="\#(words)" type="verdict"/>"#
      failed += 1
    }
    let later = notification.answerWaits ? " later" : ""
    let answer = notification.answer.isEmpty ? "" : ", answered \(Hex.encode(notification.answer))\(later)"
    text +=
      "<system-out>\(Self.escaped(VerdictText.of(verdict)))\(answer)</system-out>"
    close()
  }

  func finish(_ result: ReplayResult, after span: Duration) throws {
    let isCompared = result.comparesJournal || result.hasRecordedAnswers
    open(
      result.comparesJournal ? "the journal is the recorded one" : "the answers are the recorded ones",
      of: "capture"
    )
    if !isCompared { text += #"<skipped message="no answers are recorded to compare with"/>"# }
    if let difference = result.firstDifference {
      let words = Number.counted(Int(clamping: result.differences), "difference")
      let lines = DifferenceText.lines(difference, isOnly: result.differences == 1).joined(separator: "\n")
      text +=
        #"<failure message="\#(words)" type="\#(difference.kind.rawValue)">\#(Self.escaped(lines))</failure>"#
      failed += 1
    }
    close()
    var skipped = isCompared ? 0 : 1
    func skip(_ name: String, _ why: String) {
      open(name, of: "capture")
      text += #"<skipped message="\#(Self.escaped(why))"/>"#
      skipped += 1
      close()
    }
    for part in result.uncomparedParts { skip(part.subject, part.reason) }
    if let gaps = result.gaps.text {
      skip("what stands behind missing lines", gaps)
    }
    if let damage = result.damage {
      skip("what stands behind the damage", "\(damage)")
    }
    if !result.unknownEvents.isEmpty || !result.unknownKeys.isEmpty || result.commands.unknown > 0 {
      skip("what is unknown to this version", "events, keys or commands of a later one")
    }
    cases.write(text.utf8)
    text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    let seconds = Self.seconds(span)
    text += #"<testsuites tests="\#(count)" failures="\#(failed)" errors="0" time="\#(seconds)">"# + "\n"
    text +=
      #"<testsuite name="\#(Self.escaped("apnsim replay \(name)"))" tests="\#(count)" failures="\#(failed)""#
    text +=
      #" errors="0" skipped="\#(skipped)" time="\#(seconds)" timestamp="\#(start.description.prefix(19))">"#
      + "\n"
    try output.write(text.utf8)
    try cases.copy(to: output)
    let report = ReplayTable.resendReport(of: result).joined(separator: "\n")
    try output.write("<system-out>\(Self.escaped(report))</system-out>\n</testsuite>\n</testsuites>\n".utf8)
    try output.finish()
  }

  private func open(_ name: String, of group: String) {
    text += #"<testcase classname="\#(group)" name="\#(name)" time="0">"#
    count += 1
  }

  private func close() {
    text += "</testcase>\n"
    guard text.utf8.count > CaptureOutput.piece else { return }
    cases.write(text.utf8)
    text = ""
  }

  private static func seconds(_ span: Duration) -> String {
    let milliseconds = Int(span / .milliseconds(1))
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private static func escaped(_ text: String) -> String {
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
}
