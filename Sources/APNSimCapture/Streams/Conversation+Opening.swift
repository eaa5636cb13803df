/// Telling connections apart that follow each other on the same ports.
extension Conversation {
  /// What a segment with SYN is to the conversation that is known on its ports.
  enum Opening {
    /// A part of it.
    case own
    /// A part of it, and what was seen of that direction before was the end of an earlier connection: a service answers
    /// the SYN of a provider that has started anew with an acknowledgement of the old one (RFC 5961, section 4).
    case restart
    /// The beginning of another connection.
    case another
  }

  func opening(_ segment: TCPSegment) -> Opening {
    let isFromLow = segment.source == key.low
    let (own, other) = isFromLow ? (fromLow, fromHigh) : (fromHigh, fromLow)
    if segment.flags.contains(.ack) {
      return answer(segment.sequence, to: segment.acknowledgement &- 1, own, other, isFromLow)
    }
    if case .ignored = state { return .another }
    if own.hasStarted { return own.initialSequence == segment.sequence ? .own : .another }
    // Nothing of the other side can stand before this but its own SYN, which a capture may have first.
    return other.hasStarted && other.initialSequence == nil ? .another : .own
  }

  /// - Parameters:
  ///   - sequence: of the SYN-ACK.
  ///   - asked: the sequence number of the SYN that it answers.
  private func answer(
    _ sequence: UInt32,
    to asked: UInt32,
    _ own: HalfStream,
    _ other: HalfStream,
    _ isFromLow: Bool
  ) -> Opening {
    if case .ignored = state {
      let (one, another) = isFromLow ? (begun.low, begun.high) : (begun.high, begun.low)
      return another.map { Self.isAnswer(asked, to: $0) } ?? (one == sequence) ? .own : .another
    }
    if let begin = own.initialSequence { return begin == sequence ? .own : .another }
    if let begin = other.initialSequence, !Self.isAnswer(asked, to: begin) { return .another }
    guard own.hasStarted else { return other.hasBegun(behind: asked) ? .own : .another }
    return other.initialSequence != nil && own.isEmpty ? .restart : .another
  }

  /// Whether a SYN-ACK is of a SYN: its acknowledgement also has the data that the SYN brought (RFC 7413).
  private static func isAnswer(_ asked: UInt32, to begin: UInt32) -> Bool { asked &- begin <= 65_535 }
}
