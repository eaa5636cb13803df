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

    init(_ outcome: PushFate, of index: Int, count: Int? = nil) {
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

    init(_ goAway: RequestReport.GoAway) {
      (lastStream, code, debug) = (goAway.lastStream, goAway.code, goAway.debug)
    }
  }

  /// A connection that ended early, after which another one was made.
  struct Reconnection: Encodable, Equatable {
    /// None where the server closed without notice.
    var goAway: GoAway?
    /// The number that had been written and not taken, and were written again.
    var sentAgain: Int
  }

  /// The times from the writing of a notification to its answer, in microseconds.
  struct Latency: Encodable, Equatable {
    var min: Int
    var mean: Int
    var p50: Int
    var p90: Int
    var p99: Int
    var p999: Int
    var max: Int

    init(_ times: LatencyHistogram) {
      (min, mean, max) = (times.least, times.mean, times.greatest)
      (p50, p90) = (times.percentile(500), times.percentile(900))
      (p99, p999) = (times.percentile(990), times.percentile(999))
    }
  }

  var sent: Int
  var accepted: Int
  /// The pushes with an answer, those without, and the part of these that was still awaited at the end.
  var answered: Int
  var unanswered: Int
  var inFlight: Int
  var milliseconds: Int
  /// Notifications sent per second; none where that says nothing.
  var perSecond: Int?
  /// None where nothing was answered.
  var latencyMicroseconds: Latency?
  /// The pushes of one fate.
  var outcomes: [Outcome]
  /// The first hundred, one by one.
  var notifications: [Outcome]
  var goAway: GoAway?
  /// The first twenty, where there are any.
  var reconnections: [Reconnection]?
  /// The end of the connection where something was left: `closed`, `noSettings`, `silent`, `goAway` or `failed`.
  var ending: String?
  /// True where what was left was given up, because nothing was answered over the last connection.
  var gaveUp: Bool?
  /// The reason why the connection broke.
  var failure: String?

  init(_ report: RequestReport) {
    (sent, accepted) = (report.sent, report.accepted)
    (answered, unanswered, inFlight) = (report.answered, report.unanswered, report.inFlight)
    milliseconds = Int(report.duration / .milliseconds(1))
    if report.sent > 1, report.duration > .zero {
      perSecond = Int(Double(report.sent) / (report.duration / .seconds(1)))
    }
    if report.latency.count > 0 { latencyMicroseconds = Latency(report.latency) }
    outcomes = report.groups.map { Outcome($0.outcome, of: $0.first, count: $0.count) }
    notifications = report.results.enumerated().compactMap { index, outcome in
      outcome.map { Outcome($0, of: index) }
    }
    goAway = report.goAway.map { GoAway($0) }
    if !report.reconnections.isEmpty {
      reconnections = report.reconnections.map { again in
        Reconnection(goAway: again.goAway.map { GoAway($0) }, sentAgain: again.sentAgain)
      }
    }
    (ending, gaveUp) = (report.ending?.rawValue, report.gaveUp ? true : nil)
    failure = report.failure.map { ProviderFailure.words($0) }
  }
}
