import APNSimWire

/// One notification in the history: some 110 bytes of facts, its fields among them; the bytes as sent are in the
/// arena.
///
/// Everything people see of it (names, JSON, explanations) is made from this when somebody looks.
package struct NotificationRecord: BitwiseCopyable {
  package let seq: UInt64
  package let time: Timestamp
  /// The place of the evidence, the bytes as sent, in the arena, and its length.
  let evidence: UInt64
  let evidenceByteCount: UInt32
  package let connection: ConnectionID
  /// The number of the connection's read that brought its last byte, from 1; 0 under a virtual clock, where it must
  /// not matter.
  package let read: UInt32
  /// The registration its token meant, `Registration.none` where it meant none.
  var registration = Registration.none
  /// The fields, with places in the evidence.
  let fields: NotificationFields
  /// The number of the notification whose place in the store it took; 0 for none.
  package var replaced: UInt64 = 0
  /// The number of the notification that took its place; 0 for none.
  package var replacedBy: UInt64 = 0
  /// The offset of a problem: that of the payload's in the payload, that of a frame's defect in the evidence.
  var problemOffset: Int32 = 0
  let app: UInt16
  let interface: Interface
  /// The outcome when it came in, and the outcome since.
  package var entry: Outcome
  package var outcome: Outcome
  package var status: UInt8 = 0
  /// The check that failed.
  var failed = Check.none
  var tokenFault = TokenFault.none
  /// The rule that decided, counted from 1; 0 for none.
  var rule: UInt16 = 0
  /// The token scripted itself.
  var magic = false
  /// The payload was read when it came in.
  var isPayloadJudged = false
  /// The payload's problem: under the lenient policy it may be one that did not matter.
  var problem = PayloadProblem.none
  /// Its token let its device take its time, when it came in.
  var isUnderway = false
  /// The answer to the request leaves later.
  var isAnswerLater = false

  @inline(__always)
  init(
    seq: UInt64,
    time: Timestamp,
    evidence: UInt64,
    connection: ConnectionID,
    read: UInt32,
    _ submission: borrowing Submission,
    outcome: Outcome
  ) {
    self.seq = seq
    self.time = time
    self.evidence = evidence
    evidenceByteCount = UInt32(truncatingIfNeeded: submission.end &- submission.start)
    self.connection = connection
    self.read = read
    fields = submission.fields
    app = submission.app
    interface = submission.interface
    self.outcome = outcome
    entry = outcome
  }

  /// True for a payload that is JSON, right or wrong by the tables; nil where it was not read when it came in.
  var isJSON: Bool? { isPayloadJudged ? problem.isJSON : nil }

  /// The payload was read when the notification came in, and is JSON as the tables want it.
  var isKnownJSON: Bool { isPayloadJudged && problem == .none }
}

/// One delivery to a device, chained to the one before it of the same app there.
struct DeliveryRecord: BitwiseCopyable {
  /// The ordinal of the delivery before, 0 for none.
  var previous: UInt64
  /// The notification's number.
  var notification: UInt64
  var time: Timestamp
  /// The payload's place in the arena.
  var payload: UInt64
  var identifier: NotificationIdentifier?
  var payloadByteCount: UInt16
}
