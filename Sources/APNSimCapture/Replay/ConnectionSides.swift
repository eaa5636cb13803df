package import APNSimCore

/// Both sides of one connection, recorded and replayed: what came back to its provider, and who ended it.
package struct ConnectionSides {
  /// The parts of a connection that a capture may lack; what follows from them is not compared.
  package struct Gaps: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It was open before the capture, and its history is not known.
    package static let beginning = Gaps(rawValue: 1)
    /// Bytes of the provider: the following ones cannot be cut into frames.
    package static let input = Gaps(rawValue: 2)
    /// Bytes to the provider.
    package static let answers = Gaps(rawValue: 4)
  }

  /// The part of what came back that a capture has.
  package enum Sight: Sendable {
    case nothing
    /// Some answer, or the service's end.
    case something
    /// Everything, so that a request without an answer had none, and that the service's end would show.
    case everything
  }

  package var answers: AnswerComparison
  /// The fates of requests that the capture has no verdicts on, and of those without an answer.
  package var streams: StreamComparison
  package var gaps: Gaps = []
  package var sight: Sight
  /// True where the capture has an answer to the provider.
  package var hasRecordedAnswer = false
  /// True where a verdict differs from the recorded one.
  var hasOtherVerdicts = false
  /// True for a feedback list whose content the capture does not explain.
  var isUnexplained = false
  /// The time when its provider wrote last, or connected.
  package var lastWrite: Timestamp
  /// The time when the service ended it in the replay; nil where it did not.
  package private(set) var endedAt: Timestamp?
  package let listener: Listener
  /// True where a simulator recorded the capture: it knows which side ended a connection, and that it had read
  /// everything.
  package let isRecording: Bool

  package init(_ listener: Listener, sight: Sight, isRecording: Bool, since begin: Timestamp) {
    (self.listener, self.sight, self.isRecording, lastWrite) = (listener, sight, isRecording, begin)
    answers = AnswerComparison(isFeedback: listener == .feedback)
    streams = StreamComparison(isForTaking: true)
  }

  /// Notes that the capture has answers to the provider, even if there are none.
  mutating func seeAnswers() { if sight == .nothing { sight = .something } }

  package mutating func addRecordedAnswer() {
    seeAnswers()
    hasRecordedAnswer = true
  }

  /// The service ends the connection in the replay.
  mutating func end(at time: Timestamp) { endedAt = endedAt ?? time }

  // MARK: Comparing

  /// The result of a comparison.
  package enum Conclusion {
    case compared(ConnectionDifference?)
    case uncompared(Uncompared)
  }

  /// The reason why nothing of it can be compared; nil where something can.
  package var obstacle: Uncompared? { !gaps.isEmpty ? .gaps : sight == .nothing ? .unseen : nil }

  /// Compares the answers to the end, and then the side that ended the connection.
  /// - Parameter otherEnd: the difference of the ends.
  package func conclude(_ ending: CapturedEnd, _ otherEnd: EndDifference?) -> Conclusion {
    if let obstacle { return .uncompared(obstacle) }
    // A capture without the service's end does not have everything that would have come until then.
    if ending == .unknown, !isRecording, goesOn, !isContradicted() { return .uncompared(.open) }
    let difference = answers.difference(otherEnd)
    if case .answer? = difference, isUnexplained { return .uncompared(.unexplained) }
    return .compared(difference)
  }

  mutating func finishStreams() { streams.finish(isComplete: sight == .everything) }

  /// True where nothing is to be compared at the end of a capture in which the connection is still open: more may have gone
  /// out on it than the capture has.
  func mayGoOn(_ ending: CapturedEnd, at time: Timestamp) -> Bool {
    gaps.isEmpty && !answers.lacks && !(ending == .nobody && isEndMissing(at: time)) && !isContradicted()
  }

  /// True where the replay has more at the connection's end than the capture, which may have ended before it.
  var goesOn: Bool { !answers.lacks && (!answers.isSame() || endedAt != nil && !hasRecordedAnswer) }

  /// Compares the ends of a connection with equal answers: a refusal of command 0 and some faults show in nothing else.
  /// Where verdicts differ, these are reported instead.
  func otherEnd(_ ending: CapturedEnd, at time: Timestamp) -> EndDifference? {
    guard showsEnd, !hasOtherVerdicts else { return nil }
    if ending == .service, endedAt == nil, !hasOtherCause(at: time) {
      return EndDifference(recorded: ending, replayed: .notService)
    }
    if ending.excludesService, isEndMissing(at: time) {
      return EndDifference(recorded: ending, replayed: .service)
    }
    let isContradicted = isContradicted(since: ending == .service ? CapturedEnd.latestRefusal : .zero)
    return isContradicted ? EndDifference(recorded: nil, replayed: .service) : nil
  }

  /// True where the capture would show that the service ended the connection.
  private var showsEnd: Bool { listener == .gateway && sight == .everything }

  /// True where the recorded service, if it was the one that ended the connection, had a cause outside its bytes.
  package func hasOtherCause(at time: Timestamp) -> Bool {
    guard !isRecording, listener == .gateway, !hasRecordedAnswer else { return false }
    return time - lastWrite > CapturedEnd.latestRefusal
  }

  /// True where the service ended the connection in the replay in such a way that the capture would show it.
  ///
  /// A provider's immediate end does not show that the service would not have ended it, except in a simulator's
  /// journal; nor does an end after an answer.
  private func isEndMissing(at time: Timestamp) -> Bool {
    guard showsEnd, !hasRecordedAnswer, let endedAt else { return false }
    return isRecording || time - endedAt >= CapturedEnd.silence
  }

  /// True where the provider went on writing after the replay's service had ended the connection: the recorded service
  /// had not. A simulator's journal is judged by its verdicts instead.
  /// - Parameter span: the time for which a provider goes on that has not received the recorded service's end.
  private func isContradicted(since span: TimeSpan = .zero) -> Bool {
    guard !isRecording, let endedAt else { return false }
    return lastWrite - endedAt > span && isEndMissing(at: lastWrite)
  }
}
