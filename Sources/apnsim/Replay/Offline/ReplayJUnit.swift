import APNSimCore
import APNSimScenario
import APNSimWire

/// A replay as JUnit XML: a test case a notification, failed where it came out otherwise than recorded.
final class ReplayJUnit: ReplayReport {
  private let output: CaptureOutput
  private var text: String
  private var failure: (any Error)?

  init(_ path: String, name: String) throws {
    output = try CaptureOutput(path: path)
    text =
      #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + #"<testsuites><testsuite name="\#(Self.escaped("apnsim replay \(name)"))">"# + "\n"
  }

  func add(_ notification: ReplayedNotification) {
    let verdict = notification.verdict
    let number = notification.recorded?.number ?? verdict.number
    var name = "n\(number)"
    if let identifier = verdict.identifier { name += " \(identifier.hex)" }
    text += #"  <testcase classname="\#(notification.connection)" name="\#(name)""#
    if let recorded = notification.recorded, !notification.isSame {
      let words =
        "recorded \(recorded.outcome) \(recorded.status), replayed \(verdict.outcome) \(verdict.status)"
      text += #"><failure message="\#(words)"/></testcase>"# + "\n"
    } else {
      text += "/>\n"
    }
    if text.utf8.count > 65_536 { write() }
  }

  func finish(_ result: ReplayResult) throws {
    text += #"  <testcase classname="replay" name="everything that was compared is the same""#
    if let difference = result.firstDifference {
      let lines = DifferenceText.lines(difference, isOnly: result.differences == 1).joined(separator: "\n")
      text += #"><failure message="\#(result.differences) differences">"# + Self.escaped(lines)
      text += "</failure></testcase>\n"
    } else {
      text += "/>\n"
    }
    text += "</testsuite></testsuites>\n"
    write()
    if let failure { throw failure }
    try output.finish()
  }

  private func write() {
    do { try output.write(text.utf8) } catch { failure = failure ?? error }
    text = ""
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
      default: if scalar.value >= 0x20 { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
