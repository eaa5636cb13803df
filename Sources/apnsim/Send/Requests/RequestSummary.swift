import APNSimProvider
import APNSimWire

/// The words of `send --api http2` about an exchange, for people.
struct RequestSummary {
  private let report: RequestReport
  private let target: ProviderTarget

  init(_ report: RequestReport, target: ProviderTarget) {
    (self.report, self.target) = (report, target)
  }

  var status: ExitStatus {
    report.isSuccess ? .ok : report.isAnswered ? .failed : .runtimeError
  }

  /// Up to so many pushes have a line each; of more, those that fared alike share one.
  private static let single = 20

  func lines(_ style: Style) -> [String] {
    var lines = ["sent \(Number.counted(report.sent, "notification")) to \(target.address)\(speed)"]
    let outcomes = report.results.compactMap { $0 }
    if report.count <= Self.single, outcomes.count == report.count {
      lines += Table.lines(
        outcomes.enumerated().map { index, outcome in
          let words = RequestWords(outcome)
          return [
            "\(index + 1)", words.painted(style), words.id.map { "apns-id \($0)" } ?? "", words.meaning ?? "",
          ]
        }
      )
    } else {
      lines += Table.lines(
        report.groups.map { group in
          let words = RequestWords(group.outcome)
          let place = group.count == report.count ? "" : "the first is notification \(group.first + 1)"
          return [Number.grouped(group.count), words.painted(style), place, words.meaning ?? ""]
        }
      )
    }
    lines += report.reconnections.map { reconnection in
      let end = reconnection.goAway.map { words($0) } ?? "closed by the server"
      let again = Number.counted(reconnection.sentAgain, "notification")
      return "\(end): connected again"
        + (reconnection.sentAgain > 0 ? " and sent again \(again) that had not been taken" : "")
    }
    let others = report.reconnectionCount - report.reconnections.count
    if others > 0 { lines.append("connected again \(Number.counted(others, "more time"))") }
    if let goAway = report.goAway { lines.append(words(goAway)) }
    if let failure = report.failure { lines.append("broken: \(ProviderFailure.words(failure))") }
    return lines
  }

  private func words(_ goAway: RequestReport.GoAway) -> String {
    let debug = goAway.debug.isEmpty ? "" : " \(goAway.debug)"
    return "GOAWAY \(goAway.code)\(debug), last stream \(goAway.lastStream)"
  }

  private var speed: String { SendSpeed(count: report.sent, duration: report.duration).words }

  /// Advice for common mistakes.
  var hints: [String] {
    var hints: [String] = []
    for group in report.groups {
      guard case .answered(let answer) = group.outcome,
        let reason = answer.reason.flatMap({ Reason(name: $0) })
      else { continue }
      switch reason {
      case .missingTopic: hints.append("--topic TOPIC names the app")
      case .expiredProviderToken:
        hints.append(
          "on a virtual clock a token has to be of its time: --jwt \"$(apnsim certs jwt --issued-at TIME)\""
        )
      case .invalidProviderToken:
        hints.append("the server knows other keys: --certs DIR or --endpoints-file FILE names its directory")
      case .tooManyProviderTokenUpdates:
        hints.append("every run makes a token; a good provider keeps it for 20 minutes or more: --jwt TOKEN")
      case .badDeviceToken, .deviceTokenNotForTopic:
        hints.append("`apnsim device list` prints the devices' tokens")
      default: break
      }
    }
    return hints
  }
}
