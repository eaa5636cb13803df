package import APNSimCore

/// The difference between a service's behaviour on one connection in the capture and in a replay, as every replay
/// finds and shows it.
package enum ConnectionDifference: Hashable, Sendable {
  case answer(AnswerDifference)
  /// The same answer, and another end.
  case end(EndDifference)

  /// The sides in words, a line for each unit.
  package var recordedText: [String] {
    switch self {
    case .answer(let difference): difference.recorded.text
    case .end(let difference): [difference.recordedText]
    }
  }

  package var replayedText: [String] {
    switch self {
    case .answer(let difference): difference.replayed.text
    case .end(let difference): [difference.replayedText]
    }
  }
}

/// Two different answers to a provider.
package struct AnswerDifference: Hashable, Sendable {
  /// The number of bytes before the first different error response or tuple, which are the same.
  package var sameBytes: Int
  /// The number of error responses or tuples in them.
  package var sameUnits: Int
  /// The answers from the first different error response or tuple on; empty where one side has no more.
  package var recorded: AnswerBytes
  package var replayed: AnswerBytes

  /// The sizes of the whole answers, in bytes.
  package var recordedCount: Int { sameBytes + recorded.count }
  package var replayedCount: Int { sameBytes + replayed.count }

  /// True where the recorded answer is the beginning of the replayed one.
  package var goesOn: Bool { recorded.count < replayed.count && replayed.bytes.starts(with: recorded.bytes) }
  /// True where the replayed answer is the beginning of the recorded one.
  package var isShort: Bool { replayed.count < recorded.count && recorded.bytes.starts(with: replayed.bytes) }
}

/// Two different ends of a connection.
package struct EndDifference: Hashable, Sendable {
  /// The end of the connection in a replay.
  package enum Replayed: Hashable, Sendable {
    case service
    /// Not the service, as far as the capture goes.
    case notService
    /// It was waited for in vain.
    case openAfter(TimeSpan)
  }

  /// Nil where the provider wrote after the replayed end, when the recorded connection was open.
  package var recorded: CapturedEnd?
  package var replayed: Replayed

  package init(recorded: CapturedEnd?, replayed: Replayed) {
    (self.recorded, self.replayed) = (recorded, replayed)
  }

  package var recordedText: String { recorded?.text ?? "open when the provider wrote again" }

  package var replayedText: String {
    switch replayed {
    case .service: "ended by the service"
    case .notService: "not ended by the service"
    case .openAfter(let span): "still open after \(span)"
    }
  }
}
