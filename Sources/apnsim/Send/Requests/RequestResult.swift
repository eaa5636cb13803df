import APNSimProvider

/// The JSON of `send --api http2 --json` about an exchange.
struct RequestResult: Encodable, Equatable {
  struct Outcome: Encodable, Equatable {
    /// The number of the notification, of alike ones the first, from 1.
    var notification: Int
    /// Of alike ones: how many there are.
    var count: Int?
    /// `accepted`, `rejected`, `refused`, `reset`, `goneAway`, `unanswered` or `notSent`.
    var outcome: String
    var status: Int?
    var reason: String?
    var apnsId: String?
    var timestamp: Int64?
    /// The name of the code of RST_STREAM.
    var code: String?
    var meaning: String?

    init(_ outcome: RequestOutcome, of index: Int, count: Int? = nil) {
      let words = RequestWords(outcome)
      (notification, self.count, self.outcome, meaning) = (index + 1, count, words.name, words.meaning)
      switch outcome {
      case .answered(let answer):
        (status, reason) = (answer.status, answer.reason)
        if count == nil { (apnsId, timestamp) = (answer.id, answer.timestamp) }
      case .reset(let name): code = name
      case .refused: code = "REFUSED_STREAM"
      case .goneAway, .unanswered, .notSent: break
      }
    }
  }

  struct GoAway: Encodable, Equatable {
    var lastStream: Int
    var code: String
    var debug: String
  }

  var sent: Int
  var accepted: Int
  var milliseconds: Int
  /// Those that fared alike.
  var outcomes: [Outcome]
  /// The first hundred, one by one.
  var notifications: [Outcome]
  var goAway: GoAway?
  /// Why the connection broke.
  var failure: String?

  init(_ report: RequestReport) {
    (sent, accepted) = (report.sent, report.accepted)
    milliseconds = Int(report.duration / .milliseconds(1))
    outcomes = report.groups.map { Outcome($0.outcome, of: $0.first, count: $0.count) }
    notifications = report.results.enumerated().compactMap { index, outcome in
      outcome.map { Outcome($0, of: index) }
    }
    goAway = report.goAway.map { GoAway(lastStream: $0.lastStream, code: $0.code, debug: $0.debug) }
    failure = report.failure.map { ProviderFailure.words($0) }
  }
}
