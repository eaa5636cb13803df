package import APNSimWire

/// The events of one connection, as a sequence between provider and service, with its cost in a sentence.
///
/// It goes on over the connections on which what was lost came again, as far as that does.
package struct ConnectionStory: Hashable, Sendable {
  /// The most steps of a story; what lies between the first and the last of more is one step.
  package static let mostSteps = 400

  /// The event, in one sentence without a full stop.
  package var sentence = ""
  /// The reason, and the cost, in a few sentences; empty where the first says all.
  package var why = ""
  package var cost = Cost()
  package var steps: [Step] = []

  /// The parts of a connection's notifications; those of its interface are there.
  package struct Cost: Hashable, Sendable {
    package var counts = ConnectionCounts()
    /// Over HTTP/2: requests with an answer, and without one for good.
    package var answered: UInt64?
    package var unanswered: UInt64?
    /// Of the discarded or unanswered: those that came again, and those that did not.
    package var resent: UInt64 = 0
    package var lost: UInt64 = 0
    /// The notifications of which nobody knows.
    package var notFollowed: UInt64 = 0
    /// True while those that did not may still come.
    package var isAwaited = false
    /// The connections on which they came again, in order.
    package var resentOn: [ConnectionID] = []
  }

  /// One thing said by one side, a run of alike ones, or a silence.
  package struct Step: Hashable, Sendable {
    package enum Side: String, Sendable { case provider, service }

    package enum Kind: String, Sendable, CaseIterable {
      case frames, answer, error, goaway, settings, reset, fault, silence, end, handshake
    }

    package var at: Timestamp
    package var by: Side
    package var kind: Kind
    /// The words that stand on the arrow.
    package var text: String
    /// The result, for beside the arrow; empty where nothing is to be said.
    package var remark = ""
    /// The last moment of a run or a silence; nil for a single thing.
    package var until: Timestamp?
    /// The number of notifications or answers.
    package var count: Int?
    /// The first and the last notification of it.
    package var notifications: ClosedRange<UInt64>?
    package var bytes: Int?
    /// The rule or the token that decided it; nil where the service did by itself.
    package var script: String?
    /// The fate, where the step is one of notifications or answers.
    package var fate: StoryFate.Standing?
    /// Bytes of an error response.
    package var hex: [UInt8] = []
    /// The connection that it happened on, where that is another one.
    package var connection: ConnectionID?
  }
}

extension ConnectionStory.Step {
  /// The same, said to be the doing of a rule or a token.
  func scripted(by script: String?) -> Self {
    guard let script else { return self }
    var step = self
    step.script = script
    step.remark += step.remark.isEmpty ? "by \(script)" : ", by \(script)"
    return step
  }
}

extension ConnectionStory {
  /// Writes the members of the story's object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("sentence", sentence)
    writer.member("why", why)
    writer.key("cost")
    writer.beginObject()
    cost.writeMembers(to: &writer)
    writer.endObject()
    writer.list("steps", steps) { $0.writeMembers(to: &$1) }
  }
}

extension ConnectionStory.Cost {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    counts.writeMembers(to: &writer)
    if let answered { writer.member("answered", answered) }
    if let unanswered { writer.member("unanswered", unanswered) }
    writer.member("resent", resent)
    writer.member("lost", lost)
    writer.member("notFollowed", notFollowed)
    writer.member("awaited", isAwaited)
    writer.member("resentOn", resentOn.map(\.description))
  }
}

extension ConnectionStory.Step {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("at", at.description)
    if let until { writer.member("until", until.description) }
    writer.member("by", by.rawValue)
    writer.member("kind", kind.rawValue)
    writer.member("text", text)
    if !remark.isEmpty { writer.member("remark", remark) }
    if let count { writer.member("count", count) }
    if let notifications {
      writer.member("notifications", ["n\(notifications.lowerBound)", "n\(notifications.upperBound)"])
    }
    if let bytes { writer.member("bytes", bytes) }
    if let script { writer.member("script", script) }
    if let fate { writer.member("fate", fate.rawValue) }
    if !hex.isEmpty { writer.member("hex", hex: hex) }
    if let connection { writer.member("connection", connection.description) }
  }
}
