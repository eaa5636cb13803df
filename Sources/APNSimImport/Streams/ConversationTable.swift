import APNSimCore
import DequeModule

/// Reassembles the TCP connections of a capture and picks those to a gateway or feedback service.
///
/// Memory is bounded by ``StreamLimits``, however long the capture is.
package struct ConversationTable: Sendable {
  package internal(set) var tally = StreamTally()

  private let rules: PortRules
  let limits: StreamLimits
  let acceptsTLS: Bool
  private let foreseen: ForeseenConnections
  /// The number of segments so far.
  private var segments = 0
  var conversations: [Conversation.Key: Conversation] = [:]
  /// Every conversation in the order of its first packet, for an orderly end.
  var order: [Conversation.Key: Int] = [:]
  private var nextOrder = 0
  /// The ignored conversations, the oldest first.
  var ignored: Deque<(key: Conversation.Key, order: Int)> = []
  /// The conversations that wait for their services to be seen.
  var waiting: ConversationWait
  /// The conversations that one side has reset.
  var resets: ConversationWait
  var open = 0
  private var lastID: UInt32 = 0
  var time = Timestamp(rawValue: .min)
  private var lastTime = Timestamp(rawValue: .min)

  /// - Parameters:
  ///   - acceptsTLS: true to emit connections of TLS records, too, for decryption.
  ///   - foreseen: the connections that an earlier reading of the same segments has found: these are emitted when they
  /// begin, others when they are recognized.
  package init(
    rules: PortRules,
    limits: StreamLimits = StreamLimits(),
    acceptsTLS: Bool = false,
    foreseen: ForeseenConnections = ForeseenConnections()
  ) {
    self.acceptsTLS = acceptsTLS
    self.foreseen = foreseen
    self.rules = rules
    self.limits = limits
    waiting = ConversationWait(limits.lateService)
    resets = ConversationWait(limits.afterReset)
  }

  /// Takes the next segment of the capture and appends the events that it releases to `events`.
  package mutating func receive(_ segment: TCPSegment, into events: inout [StreamEvent]) {
    // Captures of several processors are a little out of order; a journal is not.
    time = max(time, segment.time)
    segments += 1
    release(into: &events)
    let key = Conversation.Key(segment)
    var found = conversations.removeValue(forKey: key)
    if var known = found, segment.flags.contains(.syn) {
      switch known.opening(segment) {
      case .own: break
      case .restart:
        if segment.source == key.low { known.fromLow = HalfStream() } else { known.fromHigh = HalfStream() }
        found = known
      case .another:
        leave(&known, known.ending ?? .unseen, into: &events)
        found = nil
      }
    }
    guard var conversation = found ?? begin(segment, key, into: &events) else { return }
    if case .ignored = conversation.state {
      if conversation.reset != nil { tally.lateBytes += segment.payload.count }
      conversations[key] = conversation
      return
    }
    advance(&conversation, segment, into: &events)
    conversations[key] = conversation
  }

  /// The connections that have not ended.
  var openConversations: Set<Conversation.Key> {
    Set(
      conversations.lazy.compactMap { key, conversation in
        if case .ignored = conversation.state { nil } else { key }
      }
    )
  }

  /// Ends the capture: everything held is released, everything missing is given up.
  package mutating func finish(into events: inout [StreamEvent]) {
    for key in order.sorted(by: { $0.value < $1.value }).map(\.key) {
      guard var conversation = conversations.removeValue(forKey: key) else { continue }
      if case .ignored = conversation.state { continue }
      flush(&conversation, into: &events)
      decide(&conversation, isOver: true, into: &events)
      if let ending = conversation.ending { close(&conversation, ending, into: &events) }
      count(conversation)
    }
    order = [:]
  }

  /// - Returns: nil where it is not to be followed.
  private mutating func begin(
    _ segment: TCPSegment,
    _ key: Conversation.Key,
    into events: inout [StreamEvent]
  ) -> Conversation? {
    if rules.isExplicit, rules.service(of: key.low.port) == nil, rules.service(of: key.high.port) == nil {
      return nil
    }
    guard open < limits.connections else {
      if segment.flags.contains(.syn), !segment.flags.contains(.ack) { tally.unfollowed += 1 }
      return nil
    }
    var conversation = Conversation(segment, segments, rules)
    order[key] = nextOrder
    nextOrder += 1
    open += 1
    if let connection = foreseen[segments] {
      conversation.isServiceForeseen = connection.areAnswersSeen
      tell(&conversation, connection, into: &events)
    }
    return conversation
  }

  private mutating func advance(
    _ conversation: inout Conversation,
    _ segment: TCPSegment,
    into events: inout [StreamEvent]
  ) {
    let isFromLow = segment.source == conversation.key.low
    guard !(isFromLow ? conversation.fromLow : conversation.fromHigh).isStray(segment) else {
      tally.strays += 1
      return
    }
    guard !segment.flags.contains(.rst) else {
      return reset(&conversation, segment, isFromLow: isFromLow, into: &events)
    }
    var own: [HalfStream.Piece] = []
    var other: [HalfStream.Piece] = []
    if isFromLow {
      Self.pass(segment, &conversation.fromLow, &conversation.fromHigh, limits, time, &own, &other)
    } else {
      Self.pass(segment, &conversation.fromHigh, &conversation.fromLow, limits, time, &own, &other)
    }
    conversation.take(other, isFromLow: !isFromLow, at: time)
    conversation.take(own, isFromLow: isFromLow, at: time)
    conversation.unblock(at: time, limits)
    if segment.flags.contains(.fin), conversation.ending == nil {
      conversation.ending = .closed(first: conversation.side(isFromLow: isFromLow))
    }
    let isOver = conversation.fromLow.isFinished && conversation.fromHigh.isFinished
    decide(&conversation, isOver: isOver, into: &events)
    if isOver || conversation.isOverOneSided, let ending = conversation.ending {
      leave(&conversation, ending, into: &events)
    }
  }

  private static func pass(
    _ segment: TCPSegment,
    _ sender: inout HalfStream,
    _ receiver: inout HalfStream,
    _ limits: StreamLimits,
    _ time: Timestamp,
    _ own: inout [HalfStream.Piece],
    _ other: inout [HalfStream.Piece]
  ) {
    if segment.flags.contains(.ack) {
      if segment.flags.contains(.syn) { receiver.begin(at: segment.acknowledgement) }
      receiver.acknowledge(segment.acknowledgement)
    }
    sender.receive(segment, limits, into: &own)
    sender.wait(limits, until: time, into: &own)
    receiver.wait(limits, until: time, into: &other)
  }

  /// Releases the connections that have waited for their services, and ends those whose time after a reset is over.
  private mutating func release(into events: inout [StreamEvent]) {
    for entry in waiting.takeDue(at: time) where order[entry.key] == entry.order {
      guard var conversation = conversations.removeValue(forKey: entry.key) else { continue }
      decide(&conversation, isOver: false, into: &events)
      if conversation.isOverOneSided { leave(&conversation, .closed(first: .provider), into: &events) }
      conversations[entry.key] = conversation
    }
    for entry in resets.takeDue(at: time) where order[entry.key] == entry.order {
      guard var conversation = conversations.removeValue(forKey: entry.key) else { continue }
      if conversation.reset != nil, let ending = conversation.ending {
        leave(&conversation, ending, into: &events)
      }
      conversations[entry.key] = conversation
    }
  }

  mutating func open(
    _ conversation: inout Conversation,
    _ service: PortRules.Service,
    isTLS: Bool = false,
    into events: inout [StreamEvent]
  ) {
    var connection = StreamConnection(
      listener: service.listener,
      environment: service.environment,
      peer: conversation.peer?.description ?? "",
      isPartial: !conversation.isWhole
    )
    connection.isTLS = isTLS
    connection.areAnswersSeen = conversation.isServiceSeen
    connection.isPortKnown = conversation.service != nil
    connection.provider = conversation.peer
    connection.beginning = conversation.beginning
    tell(&conversation, connection, into: &events)
  }

  private mutating func tell(
    _ conversation: inout Conversation,
    _ connection: StreamConnection,
    into events: inout [StreamEvent]
  ) {
    lastID += 1
    let id = ConnectionID(rawValue: lastID)
    conversation.state = .imported(id)
    emit(.opened(connection), of: id, at: conversation.begin, into: &events)
    if connection.isPartial {
      emit(.missing(.provider, count: nil), of: id, at: conversation.begin, into: &events)
    }
  }

  /// Emits an event with a time that is not before the last one's, also when it was held until its connection was
  /// recognized.
  mutating func emit(
    _ kind: StreamEvent.Kind,
    of id: ConnectionID,
    at moment: Timestamp,
    into events: inout [StreamEvent]
  ) {
    lastTime = max(lastTime, moment)
    events.append(StreamEvent(time: lastTime, connection: id, kind: kind))
  }
}
