package import APNSimCore

/// A difference between a recording and its replay, in full.
package struct ReplayDifference: Sendable {
  package enum Kind: String, Sendable {
    /// The bytes that went to a provider.
    case answer
    /// The answer to a request of a capture that no simulator recorded.
    case request
    /// The verdict on a notification.
    case verdict
    /// The side that ended a connection on which the same bytes had gone to the provider.
    case ending
    /// A line of the journal.
    case journal
  }

  /// The two sides.
  package enum Content: Sendable {
    case connection(ConnectionDifference)
    case request(StreamDifference)
    case verdict(recorded: String, replayed: String)
    /// Lines; empty for a journal that has ended.
    case journal(recorded: [UInt8], replayed: [UInt8])
  }

  package var content: Content
  /// The connection's number in the capture.
  package var connection: ConnectionID?
  /// The notification's name in the capture: `n57`.
  package var notification: String?

  package var kind: Kind {
    switch content {
    case .connection(.answer): .answer
    case .connection(.end): .ending
    case .request: .request
    case .verdict: .verdict
    case .journal: .journal
    }
  }

  /// The sides as bytes: those of an answer from the first different error response or tuple on, or UTF-8.
  package var recorded: [UInt8] {
    switch content {
    case .connection(.answer(let difference)): difference.recorded.bytes
    case .connection(.end(let difference)): Array(difference.recordedText.utf8)
    case .request(let difference): Array(difference.recordedText.utf8)
    case .verdict(let recorded, _): Array(recorded.utf8)
    case .journal(let recorded, _): recorded
    }
  }

  package var replayed: [UInt8] {
    switch content {
    case .connection(.answer(let difference)): difference.replayed.bytes
    case .connection(.end(let difference)): Array(difference.replayedText.utf8)
    case .request(let difference): Array(difference.replayedText.utf8)
    case .verdict(_, let replayed): Array(replayed.utf8)
    case .journal(_, let replayed): replayed
    }
  }

  /// True where both sides are text; an answer is bytes.
  package var isText: Bool { kind != .answer }
}
