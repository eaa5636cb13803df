import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimWire

/// The words of `send --api http2` about an exchange, for people.
struct RequestSummary {
  private let report: RequestReport
  private let target: ProviderTarget
  private let connections: Int
  /// The pushes a second that were asked for.
  private let rate: Double?
  /// The provider token that was sent; nil with a certificate.
  private let token: String?

  init(
    _ report: RequestReport,
    target: ProviderTarget,
    connections: Int = 1,
    rate: Double? = nil,
    token: String? = nil
  ) {
    (self.report, self.target, self.connections, self.rate) = (report, target, connections, rate)
    self.token = token
  }

  var status: ExitStatus {
    report.isSuccess ? .ok : report.isAnswered ? .failed : .runtimeError
  }

  /// Up to so many pushes have a line each; of more, those that fared alike share one.
  private static let single = 20

  func lines(_ style: Style) -> [String] {
    let over = connections > 1 ? " over \(connections) connections" : ""
    var lines = ["sent \(Number.counted(report.sent, "notification")) to \(target.address)\(over)\(speed)"]
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
    if let ending { lines.append(ending) }
    if report.gaveUp {
      lines.append(
        "gave up after a connection over which nothing was answered: \(left) not taken"
      )
    }
    if report.count > Self.single, report.latency.count > 0 { lines.append(times) }
    if report.inFlight > 0 { lines.append("\(Number.grouped(report.inFlight)) in flight at the end") }
    return lines
  }

  /// The reason why it stopped, where neither GOAWAY nor an error says it.
  private var ending: String? {
    let rest =
      report.unanswered > 0 ? ", with \(Number.counted(report.unanswered, "request")) unanswered" : ""
    switch report.ending {
    case .closed: return "the server closed the connection\(rest)"
    case .noSettings: return "the server sent no SETTINGS within the timeout: nothing could be sent"
    case .silent: return "nothing came within the timeout\(rest)"
    case .goAway, .failed, nil: return nil
    }
  }

  /// The notifications that were not taken.
  private var left: String {
    let count = report.groups.reduce(0) { sum, group in
      switch group.outcome {
      case .notSent, .goneAway, .refused: sum + group.count
      case .answered, .reset, .unanswered: sum
      }
    }
    return Number.counted(count, "notification")
  }

  /// `answered within 0.9 ms (50 %), 1.4 ms (90 %), 3.2 ms (99 %), 8 ms (99.9 %), 12 ms at most`
  private var times: String {
    let shares = [(500, "50 %"), (900, "90 %"), (990, "99 %"), (999, "99.9 %")].map { permille, share in
      "\(Self.milliseconds(report.latency.percentile(permille))) (\(share))"
    }
    return "answered within \(shares.joined(separator: ", ")), "
      + "\(Self.milliseconds(report.latency.greatest)) at most"
  }

  /// `0.083 ms`, `1.24 ms`, `12.4 ms`, `1,240 ms`
  static func milliseconds(_ microseconds: Int) -> String {
    let (whole, rest) = (microseconds / 1000, microseconds % 1000)
    let digits = whole >= 100 ? 0 : whole >= 10 ? 1 : whole >= 1 ? 2 : 3
    var decimals = String(String(1000 + rest).dropFirst().prefix(digits))
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return Number.grouped(whole) + (decimals.isEmpty ? "" : ".\(decimals)") + " ms"
  }

  private func words(_ goAway: RequestReport.GoAway) -> String {
    let debug = goAway.debug.isEmpty ? "" : " \(goAway.debug)"
    return "GOAWAY \(goAway.code)\(debug), last stream \(goAway.lastStream)"
  }

  private var speed: String { SendSpeed(count: report.sent, duration: report.duration).words }

  /// Advice for common mistakes.
  var hints: [String] {
    var hints: [String] = []
    if let rate, report.sent > 100, report.duration > .zero {
      let reached = Double(report.sent - 1) / (report.duration / .seconds(1))
      if reached < 0.95 * rate {
        hints.append(
          "the rate was not reached: \(Number.grouped(Int(reached))) a second; try more --connections or --streams"
        )
      }
    }
    for group in report.groups {
      guard case .answered(let answer) = group.outcome,
        let reason = answer.reason.flatMap({ Reason(name: $0) })
      else { continue }
      switch reason {
      case .missingTopic: hints.append("--topic TOPIC names the app")
      case .expiredProviderToken, .invalidProviderToken: hints += tokenHints(reason)
      case .tooManyProviderTokenUpdates:
        hints.append("every run makes a token; a good provider keeps it for 20 minutes or more: --jwt TOKEN")
      case .badDeviceToken, .deviceTokenNotForTopic:
        hints.append("`apnsim device list` prints the devices' tokens")
      default: break
      }
    }
    return hints
  }

  /// This program's own knowledge of the token that it sent. Of keys, teams and the simulated time the server knows more, and
  /// logs it.
  private func tokenHints(_ reason: Reason) -> [String] {
    guard let token else { return [] }
    let facts: ProviderTokenFacts
    do throws(ProviderTokenProblem) {
      facts = ProviderTokenFacts(try ProviderToken.parse(Array(token.utf8)), number: 0)
    } catch {
      facts = .malformed(number: 0, problem: error.description)
    }
    let now = Timestamp.now
    let age = now - Timestamp(seconds: facts.issuedAt)
    if facts.verdict == .good, reason == .invalidProviderToken {
      return [
        "the token is of the key \"\(facts.keyID)\" and the team \"\(facts.teamID)\"; the server's log says which of them is wrong",
        "the server may know other keys: --certs DIR or --endpoints-file FILE names its directory",
      ]
    }
    if facts.verdict == .good, -TimeSpan.hours(1) <= age, age <= .hours(1) {
      return [
        "by this machine's clock the token is good: the simulator's has run since it saw the token first; make a new one"
      ]
    }
    let circumstances = ProviderTokenCause.Circumstances(
      environment: .production,
      time: now,
      clock: "this machine's clock"
    )
    return ProviderTokenCause(.bearer(facts), reason, circumstances)
      .map { ["the server got \($0.found): \($0.hint)"] } ?? []
  }
}
