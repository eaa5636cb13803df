/// The fate of a request, as its provider saw it.
package enum StreamOutcome: Hashable, Sendable {
  case answered(CapturedAnswer)
  /// RST_STREAM, by the name of its code.
  case reset(String)
  /// Nothing came; with the reason, where one is known.
  case unanswered(String? = nil)

  /// A stream above the last one of GOAWAY.
  package static let goneAway = StreamOutcome.unanswered("above the last stream of GOAWAY")
  package static let notSent = StreamOutcome.unanswered("it could not be sent")

  var isUnanswered: Bool { if case .unanswered = self { true } else { false } }

  /// In words: `410 Unregistered`, `RST_STREAM REFUSED_STREAM`, `no answer`.
  package var text: String {
    switch self {
    case .answered(let answer): answer.text ?? "no answer"
    case .reset(let code): "RST_STREAM \(code)"
    case .unanswered(let reason): "no answer" + (reason.map { " (\($0))" } ?? "")
    }
  }

  var answer: CapturedAnswer? { if case .answered(let answer) = self { answer } else { nil } }

  /// The recorded side's word on a request in its line: nil where that has no answer, which may still come in another
  /// line, as RST_STREAM does.
  package init?(_ answer: CapturedAnswer?) {
    guard let answer else { return nil }
    if answer.status != nil {
      self = .answered(answer)
    } else if answer.isDiscarded {
      self = .goneAway
    } else {
      return nil
    }
  }
}

/// The outcome of one request, recorded and replayed, where the two differ.
package struct StreamDifference: Hashable, Sendable {
  package var stream: UInt32
  package var recorded: StreamOutcome
  package var replayed: StreamOutcome

  /// True where only the identifiers of the answers differ.
  package var isOfIdentifiers: Bool {
    guard let one = recorded.answer, let other = replayed.answer else { return false }
    return one.text == other.text
  }

  /// `stream 5  410 Unregistered`
  package var recordedText: String { "stream \(stream)  \(words(recorded))" }
  package var replayedText: String { "stream \(stream)  \(words(replayed))" }
  /// `recorded 410 Unregistered, replayed no answer`
  package var summary: String { "recorded \(words(recorded)), replayed \(words(replayed))" }

  private func words(_ outcome: StreamOutcome) -> String {
    isOfIdentifiers ? outcome.text + ", apns-id \(outcome.answer?.id ?? "absent")" : outcome.text
  }
}
