import APNSimWire

/// The effect of a fault, in terms of what the simulator can do.
///
/// A fault of a known effect names it in its row. A new effect is a case here, a member of ``AnswerEffect`` or one of
/// ``ConnectionPlan``; CONTRIBUTING.md says who reads it.
indirect enum FaultEffect: Sendable {
  // Of one notification.

  /// It is accepted, reaches nobody, and nothing is said of it.
  case swallow
  /// Its connection ends without an answer: at the notification, or once so much of the connection has been read.
  case end(ConnectionEnding, Fault.Trigger)
  /// It is refused, and so are those that follow, for a while.
  case outage(Fault.Outage)
  /// A token without its app counts as good for a while.
  case late(Fault.Lag)
  /// Of its answer, over HTTP/2 also of its connection from then on.
  case answer(AnswerEffect)

  // Of a connection, when it opens or before.

  /// The handshake fails.
  case refuse(Fault.HandshakeRefusal)
  /// The handshake begins this much later.
  case wait(TimeSpan)
  /// The connection's plan changes. Of two faults of one kind the first one stays: the second changes nothing. What is left
  /// to chance is drawn here, once, so that the connection's own course does not depend on what others do meanwhile.
  case plan(@Sendable (inout ConnectionPlan, inout SeededGenerator) -> Void)
}

/// The effect of a fault on the answer to a notification, and over HTTP/2 on the notification and its connection; nothing where
/// nothing is said.
package struct AnswerEffect: Sendable {
  // On both interfaces. A frame that is accepted has no answer.

  /// The simulated time by which the answer comes later.
  var delay = TimeSpan.zero
  /// The TLS records in which it leaves.
  var cut = AnswerCut.none

  // Over HTTP/2.

  /// The simulated time from the answer's headers to its body.
  var bodyDelay = TimeSpan.zero
  /// True where the notification is refused with InternalServerError, and reaches nobody.
  var refuses = false
  /// True where there is no answer.
  var isSilent = false
  /// RST_STREAM with this code, in the place of the answer.
  var reset: HTTP2Code?
  /// SETTINGS with so many streams, ahead of the answer.
  var maxStreams: Int?
  /// GOAWAY after the answer, and what becomes of the connection.
  package var goAway: Fault.GoAway?
  /// True where every later request of the connection is InternalServerError.
  var breaksConnection = false

  /// The frame that leaves besides answers, for a request on a stream.
  func frame(at stream: UInt32, _ quirks: Quirks) -> RequestFrame? {
    if let goAway { return goAway.frame(at: stream, quirks) }
    if let reset { return .resetStream(stream, reset) }
    return maxStreams.map { .maxStreams(UInt32(clamping: $0)) }
  }
}
