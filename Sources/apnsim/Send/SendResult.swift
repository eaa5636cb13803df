import APNSimProvider
import APNSimWire

/// The JSON of `send --json` about an exchange.
struct SendResult: Encodable, Equatable {
  /// The error response, when one came.
  struct Answer: Encodable, Equatable {
    var status: UInt8
    var name: String
    var identifier: String
    /// The number of the notification it names, from 1; null when it names none of ours.
    var notification: Int?
    /// From the first write to the answer.
    var milliseconds: Int
  }

  var sent: Int
  var bytes: Int
  var milliseconds: Int
  /// `accepted`, `rejected`, `shutdown`, `closed`, `broken`, `stalled` or `notUnderstood`.
  var outcome: String
  /// The number of notifications that the gateway accepted; null if it cannot be known.
  var accepted: Int?
  var answer: Answer?
  /// The number written after the notification that the answer names, which have to be sent again.
  var discarded: Int?

  init(_ report: SendReport) {
    sent = report.written
    bytes = report.bytes
    milliseconds = Int(report.writing / .milliseconds(1))
    accepted = report.accepted
    discarded = report.discarded?.count
    switch report.ending {
    case .silence: outcome = "accepted"
    case .answered(let response):
      outcome = response.status == .shutdown ? "shutdown" : "rejected"
      answer = Answer(
        status: response.status.rawValue,
        name: response.status.name,
        identifier: response.identifier.hex,
        notification: report.namedIndex.map { $0 + 1 },
        milliseconds: Int((report.answering ?? .zero) / .milliseconds(1))
      )
    case .closed: outcome = "closed"
    case .broken: outcome = "broken"
    case .stalled: outcome = "stalled"
    case .unintelligible: outcome = "notUnderstood"
    }
  }
}
