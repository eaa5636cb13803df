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
    package enum Side: String, JSONWord { case provider, service }

    package enum Kind: String, JSONWord {
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
    /// The rule or the token that had a part in it; nil where the service did by itself.
    package var script: StoryScript?
    /// The fate, where the step is one of notifications or answers.
    package var fate: StoryFate.Standing?
    /// Bytes of an error response.
    package var hex: [UInt8] = []
    /// The connection that it happened on, where that is another one.
    package var connection: ConnectionID?
  }
}

extension ConnectionStory.Step {
  /// The same, with the part that a rule or a token had in it.
  func scripted(by script: StoryScript?) -> Self {
    guard let script else { return self }
    var step = self
    step.script = script
    step.remark += step.remark.isEmpty ? script.words : ", \(script.words)"
    return step
  }
}

extension ConnectionStory: JSONObject {
  package static let shape = JSONShape<Self>("ConnectionStory") {
    $0.member("sentence", "What happened, in one sentence.") { $0.sentence }
    $0.member("why", "Why, and what it cost; may be empty.") { $0.why }
    $0.member("cost") { $0.cost }
    $0.list(
      "steps",
      """
      In order, at most some 400 and those on later connections: alike notifications in a row are one step, and of very \
      many steps the middle is left out.
      """
    ) { $0.steps }
  }
}

extension ConnectionStory.Cost: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.members { $0.counts }
    $0.optional("answered", "Over HTTP/2 only.") { $0.answered }
    $0.optional("unanswered", "Over HTTP/2 only: requests that never get an answer.") { $0.unanswered }
    $0.member("resent", "Of those discarded or unanswered: those that came again.") { $0.resent }
    $0.member("lost", "Those that did not.") { $0.lost }
    $0.member("notFollowed", "Those of which nobody knows: there was no room to follow them.") {
      $0.notFollowed
    }
    $0.member("awaited", "True while the lost ones may still come.") { $0.isAwaited }
    $0.list("resentOn", "The connections on which they came again.") { $0.resentOn }
  }
}

extension ConnectionStory.Step: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("at", "When it happened, or began.") { $0.at }
    $0.optional("until", "The end of a run or of a silence; absent for a single thing.") { $0.until }
    $0.member("by") { $0.by }
    $0.member(
      "kind",
      """
      `frames` are notifications or requests; `settings` also another fault that was asked for, by its name in `text`; \
      `silence` also what is not kept, left out, or never came.
      """
    ) { $0.kind }
    $0.member("text", "What was said, for people.") { $0.text }
    $0.optional("remark", "What came of it, for people; absent where the text says all.") {
      $0.remark.isEmpty ? nil : $0.remark
    }
    $0.optional("count", "The number of notifications, answers, tuples or steps in it.", .least(0)) {
      $0.count
    }
    $0.optional("notifications", "The first and the last of it. Those of other connections may lie between.")
    {
      $0.notifications.map { [NotificationNumber($0.lowerBound), NotificationNumber($0.upperBound)] }
    }
    $0.optional("bytes", "Of frames, or of the payloads of requests.", .least(0)) { $0.bytes }
    $0.optional(
      "script",
      "The rule or the magic token that had a part in it, for people; absent where the service did by itself."
    ) { $0.script?.name }
    $0.optional("fate", "What became of the notifications or answers of it.") { $0.fate }
    $0.optional("hex", "Of an error response: the bytes that were sent.") {
      $0.hex.isEmpty ? nil : HexText($0.hex)
    }
    $0.optional("connection", "The connection of the step, where it is another one.") { $0.connection }
  }
}
