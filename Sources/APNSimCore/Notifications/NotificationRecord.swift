internal import APNSimWire

/// One notification in the history: some 80 bytes of facts, the frame itself in the arena.
///
/// Everything people see of it (names, JSON, explanations) is made from this when somebody looks.
package struct NotificationRecord: BitwiseCopyable {
  package let seq: UInt64
  package let time: Timestamp
  /// Where the frame as sent is in the arena, and its length.
  let frame: UInt64
  let frameByteCount: UInt32
  package let connection: ConnectionID
  /// Which read of the connection brought its last byte, from 1; 0 under a virtual clock, where it must not matter.
  package let read: UInt32
  /// The registration its token meant, `Registration.none` where it meant none.
  var registration = Registration.none
  /// The offset of a payload problem in the payload.
  var payloadOffset: Int32 = 0
  /// The number of the notification whose place in the store it took; 0 for none.
  package var replaced: UInt64 = 0
  /// The number of the notification that took its place; 0 for none.
  package var replacedBy: UInt64 = 0
  let app: UInt16
  /// What became of it when it came in, and what has become of it since.
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
  /// What the gateway thought of the payload: under the lenient policy it may be a problem that did not matter.
  var problem = PayloadProblem.none
  /// Its token let its device take its time, when it came in.
  var isUnderway = false

  init(
    seq: UInt64,
    time: Timestamp,
    frame: UInt64,
    frameByteCount: UInt32,
    connection: ConnectionID,
    read: UInt32,
    app: UInt16,
    outcome: Outcome
  ) {
    self.seq = seq
    self.time = time
    self.frame = frame
    self.frameByteCount = frameByteCount
    self.connection = connection
    self.read = read
    self.app = app
    self.outcome = outcome
    entry = outcome
  }
}

/// One delivery to a device, chained to the one before it of the same app there.
struct DeliveryRecord: BitwiseCopyable {
  /// The ordinal of the delivery before, 0 for none.
  var previous: UInt64
  /// The notification's number.
  var notification: UInt64
  var time: Timestamp
  var frame: UInt64
  var frameByteCount: UInt32
}
