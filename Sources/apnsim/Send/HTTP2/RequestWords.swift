import APNSimCore
import APNSimProvider

/// The words about what became of a push.
struct RequestWords {
  private let outcome: PushFate

  init(_ outcome: PushFate) { self.outcome = outcome }

  /// `200`, `400 BadDeviceToken`, `reset INTERNAL_ERROR`, `unanswered`
  var text: String {
    switch outcome {
    case .answered(let answer): answer.reason.map { "\(answer.status) \($0)" } ?? "\(answer.status)"
    case .refused: "reset REFUSED_STREAM"
    case .reset(let code): "reset \(code)"
    case .goneAway: "gone away"
    case .unanswered: "unanswered"
    case .notSent: "not sent"
    }
  }

  func painted(_ style: Style) -> String {
    if case .answered(let answer) = outcome, answer.isSuccess { return style.paint(text, .green) }
    return style.paint(text, .red)
  }

  var id: String? { if case .answered(let answer) = outcome { answer.id } else { nil } }

  var meaning: String? {
    switch outcome {
    case .answered(let answer):
      guard let timestamp = answer.timestamp, let meaning = answer.meaning else { return answer.meaning }
      return "\(meaning) Since \(Timestamp(seconds: timestamp / 1000))."
    case .refused: return "The server did not process it: to be sent again."
    case .reset: return "There is no telling whether the server processed it."
    case .goneAway:
      return
        "It is above the last stream of GOAWAY, so that the server did not process it: to be sent again over a new connection."
    case .unanswered:
      return
        "No answer came before the wait or the connection ended: there is no telling whether the server processed it."
    case .notSent: return "The connection took no more requests: to be sent over a new one."
    }
  }

  /// The word of JSON.
  var name: String {
    switch outcome {
    case .answered(let answer): answer.isSuccess ? "accepted" : "rejected"
    case .refused: "refused"
    case .reset: "reset"
    case .goneAway: "goneAway"
    case .unanswered: "unanswered"
    case .notSent: "notSent"
    }
  }
}
