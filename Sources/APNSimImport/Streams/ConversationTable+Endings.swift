import APNSimCore
import DequeModule

/// The ends of connections, and the state that remains afterwards.
extension ConversationTable {
  /// Ends a connection at a reset, but for what the other side wrote before it received that.
  mutating func reset(
    _ conversation: inout Conversation,
    _ segment: TCPSegment,
    isFromLow: Bool,
    into events: inout [StreamEvent]
  ) {
    if isFromLow {
      Self.reset(segment, &conversation.fromLow, &conversation.fromHigh)
    } else {
      Self.reset(segment, &conversation.fromHigh, &conversation.fromLow)
    }
    let side = conversation.side(isFromLow: isFromLow)
    // A reset after a FIN only means that the side no longer listens: the connection had been closed.
    let ending = conversation.ending ?? .reset(by: side)
    conversation.ending = ending
    // Each segment that comes too late is answered with another one.
    if conversation.reset?.by == side { return }
    guard conversation.reset == nil, conversation.isServiceLow != nil, resets.count < limits.connections,
      !(isFromLow ? conversation.fromHigh : conversation.fromLow).isFinished
    else { return leave(&conversation, ending, into: &events) }
    conversation.reset = (time, side)
    resets.add(conversation.key, order[conversation.key] ?? 0, at: time)
    decide(&conversation, isOver: false, into: &events)
  }

  /// Takes the sequence numbers of a reset, which show the progress of both sides as other segments do.
  private static func reset(
    _ segment: TCPSegment,
    _ sender: inout HalfStream,
    _ receiver: inout HalfStream
  ) {
    if segment.flags.contains(.ack) { receiver.acknowledge(inReset: segment.acknowledgement) }
    sender.reset(at: segment.sequence)
  }

  mutating func flush(_ conversation: inout Conversation, into events: inout [StreamEvent]) {
    for isFromLow in [conversation.isServiceLow != true, conversation.isServiceLow == true] {
      var pieces: [HalfStream.Piece] = []
      if isFromLow {
        conversation.fromLow.finish(otherHasEnded: conversation.fromHigh.hasFIN, into: &pieces)
      } else {
        conversation.fromHigh.finish(otherHasEnded: conversation.fromLow.hasFIN, into: &pieces)
      }
      conversation.end(pieces, isFromLow: isFromLow, at: time)
    }
    conversation.release()
  }

  /// Ends a conversation; its later packets are ignored until a new SYN.
  mutating func leave(
    _ conversation: inout Conversation,
    _ ending: StreamEvent.Ending,
    into events: inout [StreamEvent]
  ) {
    if case .ignored = conversation.state { return }
    flush(&conversation, into: &events)
    decide(&conversation, isOver: true, into: &events)
    close(&conversation, ending, into: &events)
    if case .ignored = conversation.state { return }
    ignore(&conversation)
  }

  mutating func close(
    _ conversation: inout Conversation,
    _ ending: StreamEvent.Ending,
    into events: inout [StreamEvent]
  ) {
    guard case .imported(let id) = conversation.state else { return }
    emit(.closed(ending), of: id, at: conversation.reset?.at ?? time, into: &events)
  }

  mutating func ignore(_ conversation: inout Conversation) {
    count(conversation)
    conversation.ignore()
    open -= 1
    ignored.append((conversation.key, order[conversation.key] ?? 0))
    forget()
  }

  mutating func count(_ conversation: Conversation) {
    tally.repeatedBytes += conversation.fromLow.repeatedBytes + conversation.fromHigh.repeatedBytes
  }

  /// Drops the oldest of the ignored when there are too many; one whose ports have a new connection stays.
  private mutating func forget() {
    guard ignored.count > limits.remembered, let (key, number) = ignored.popFirst() else { return }
    if order[key] == number {
      order[key] = nil
      conversations[key] = nil
    }
  }
}

/// Connections that wait for late packets, in the order of their deadlines.
struct ConversationWait: Sendable {
  struct Entry: Sendable {
    var key: Conversation.Key
    /// The place among the conversations with this key.
    var order: Int
    var until: Timestamp
  }

  /// The time that each of them waits.
  let span: TimeSpan
  private var entries: Deque<Entry> = []

  init(_ span: TimeSpan) { self.span = span }

  var count: Int { entries.count }

  /// - Returns: the deadline.
  @discardableResult
  mutating func add(_ key: Conversation.Key, _ order: Int, at time: Timestamp) -> Timestamp {
    let until = time + span
    entries.append(Entry(key: key, order: order, until: until))
    return until
  }

  /// Takes those whose deadline has passed.
  mutating func takeDue(at time: Timestamp) -> [Entry] {
    guard let first = entries.first, first.until < time else { return [] }
    let due = Array(entries.prefix { $0.until < time })
    entries.removeFirst(due.count)
    return due
  }
}
