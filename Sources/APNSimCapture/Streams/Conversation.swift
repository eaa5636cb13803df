internal import APNSimCore

/// One TCP connection of a capture: its two directions, and what has been found out about it.
struct Conversation: Sendable {
  /// The two ends, the lower one first, so that both directions have one key.
  struct Key: Hashable, Sendable {
    var low: NetworkEndpoint
    var high: NetworkEndpoint

    init(_ segment: TCPSegment) { self.init(segment.source, segment.destination) }

    init(_ one: NetworkEndpoint, _ other: NetworkEndpoint) {
      low = min(one, other)
      high = max(one, other)
    }
  }

  enum State: Sendable {
    /// Not enough of it was seen to tell what it is; nothing has been said of it.
    case undecided
    /// It is imported, under this number.
    case imported(ConnectionID)
    /// It is over, or it is none of ours; packets of it are ignored until the next SYN.
    case ignored
  }

  let key: Key
  /// Which of the capture's segments is its first.
  let beginning: Int
  var state = State.undecided
  let begin: Timestamp
  /// Whether the lower end is the service; nil while that is not known.
  var isServiceLow: Bool?
  /// What the port says of the service; nil for a port that says nothing.
  var service: PortRules.Service?
  /// What the lower end sent, and the higher.
  var fromLow = HalfStream()
  var fromHigh = HalfStream()
  /// What came out while it was undecided.
  var pending: [(time: Timestamp, isFromLow: Bool, piece: HalfStream.Piece)] = []
  /// What one side said when it had more of the other than has come out: it may be the answer to what is still missing.
  /// What its side says behind it waits with it.
  private var blocked: [(time: Timestamp, isFromLow: Bool, piece: HalfStream.Piece)] = []
  /// Until when it is held back for the service to be seen; nil where nothing was held back for that.
  var waitsUntil: Timestamp?
  /// How it ends, by who ended its stream first or by a reset.
  var ending: StreamEvent.Ending?
  /// When one side reset it, and which, while the other may not have heard of that.
  var reset: (at: Timestamp, by: StreamEvent.Side)?
  /// The sequence numbers that both ends began with, as far as they were seen, once it is ignored.
  private(set) var begun: (low: UInt32?, high: UInt32?) = (nil, nil)

  init(_ segment: TCPSegment, _ beginning: Int, _ rules: PortRules) {
    key = Key(segment)
    self.beginning = beginning
    begin = segment.time
    let low = rules.service(of: key.low.port)
    let high = rules.service(of: key.high.port)
    if segment.flags.contains(.syn) {
      let isAnswer = segment.flags.contains(.ack)
      isServiceLow = (segment.source == key.low) == isAnswer
      service = isServiceLow == true ? low : high
    } else if low != nil || high != nil {
      isServiceLow = low != nil
      service = low ?? high
    }
  }

  /// Lets go of everything but what tells later packets of it from those of another connection on the same ports.
  mutating func ignore() {
    begun = (fromLow.initialSequence, fromHigh.initialSequence)
    state = .ignored
    (pending, blocked, fromLow, fromHigh) = ([], [], HalfStream(), HalfStream())
  }

  /// Takes what a segment has brought to light of a direction.
  mutating func take(_ pieces: [HalfStream.Piece], isFromLow: Bool, at time: Timestamp) {
    var waits = blocked.contains { $0.isFromLow == isFromLow }
    for piece in pieces {
      waits = waits || isBlocked(piece, isFromLow)
      let kept = waits || isUndecided ? piece.ofItsOwn : piece
      let entry = (time: piece.origin?.time ?? time, isFromLow: isFromLow, piece: kept)
      if waits { blocked.append(entry) } else { pending.append(entry) }
    }
  }

  private var isUndecided: Bool { if case .undecided = state { true } else { false } }

  /// Lets out what was held back, once what it may answer is there or has been waited for.
  mutating func unblock(at time: Timestamp, _ limits: StreamLimits) {
    if blocked.count <= limits.patience {
      while let index = firstUnblocked { pending.append(blocked.remove(at: index)) }
    }
    if let first = blocked.first, blocked.count > limits.patience || time - first.time > limits.swapped {
      release()
    }
  }

  /// Where the first stands of a direction of which the first waits for nothing more.
  private var firstUnblocked: Int? {
    [true, false].compactMap { isFromLow in
      blocked.firstIndex { $0.isFromLow == isFromLow }
        .flatMap { isBlocked(blocked[$0].piece, isFromLow) ? nil : $0 }
    }.min()
  }

  /// Takes what the end of a direction has brought to light.
  mutating func end(_ pieces: [HalfStream.Piece], isFromLow: Bool, at time: Timestamp) {
    if blocked.contains(where: { $0.isFromLow == isFromLow }) { release() }
    pending += pieces.map { ($0.origin?.time ?? time, isFromLow, $0) }
  }

  /// Lets out what was held back.
  mutating func release() {
    pending += blocked
    blocked = []
  }

  /// Whether what a side says has to wait for what it had of the other when it said it, and for nothing that it had
  /// later: a hello does not wait for the flight that answers it, though the acknowledgement of that may stand before it.
  private func isBlocked(_ piece: HalfStream.Piece, _ isFromLow: Bool) -> Bool {
    guard let acknowledgement = piece.origin?.acknowledgement else { return false }
    let waiting = blocked.reduce(0) { $1.isFromLow == isFromLow ? $0 : $0 + $1.piece.count }
    return (isFromLow ? fromHigh : fromLow).isBehind(acknowledgement, waiting: waiting)
  }

  var peer: NetworkEndpoint? { isServiceLow.map { $0 ? key.high : key.low } }

  func side(isFromLow: Bool) -> StreamEvent.Side { isFromLow == isServiceLow ? .service : .provider }

  /// The first bytes that an end sent, while nothing has been decided.
  func firstBytes(isFromLow: Bool) -> ArraySlice<UInt8> {
    said(isFromLow: isFromLow, upTo: Guess.byteCount)[...]
  }

  /// How many bytes an end said while nothing has been decided.
  func count(isFromLow: Bool) -> Int {
    pending.reduce(0) { sum, entry in
      guard entry.isFromLow == isFromLow, case .bytes(let bytes, _) = entry.piece else { return sum }
      return sum + bytes.count
    }
  }

  /// What one that was joined in the middle was found to be, while it waits for its service to be seen: what that says
  /// then may stand inside of anything.
  var found: Guess?

  /// How many bytes there were of both when they were looked through last.
  var lookedThrough = 0

  /// What an end said while nothing has been decided, up to so many bytes.
  func said(isFromLow: Bool, upTo limit: Int) -> [UInt8] {
    var said: [UInt8] = []
    for entry in pending where entry.isFromLow == isFromLow && said.count < limit {
      if case .bytes(let more, _) = entry.piece { said += more.prefix(limit - said.count) }
    }
    return said
  }

  /// There is a packet of the service, as is known already.
  var isServiceForeseen = false

  /// There was a packet of the service, or there will be one.
  var isServiceSeen: Bool { isServiceForeseen || hasServiceStarted }

  private var hasServiceStarted: Bool {
    isServiceLow.map { $0 ? fromLow.hasStarted : fromHigh.hasStarted } ?? false
  }

  /// The provider has said everything, and nothing was seen of the service, nor will be: the capture has one side.
  var isOverOneSided: Bool {
    guard isWhole, !isServiceSeen, let isServiceLow, case .imported = state else { return false }
    return isServiceLow ? fromHigh.isFinished : fromLow.isFinished
  }

  /// The side that connected was heard from the beginning.
  var isWhole: Bool {
    isServiceLow.map { $0 ? fromHigh.initialSequence != nil : fromLow.initialSequence != nil } ?? false
  }
}

extension HalfStream.Piece {
  fileprivate var origin: HalfStream.Origin? {
    switch self {
    case .bytes(_, let origin): origin
    case .missing(_, let origin): origin
    }
  }

  fileprivate var count: Int {
    switch self {
    case .bytes(let bytes, _): bytes.count
    case .missing(let count, _): count
    }
  }

  /// With a copy of the bytes, which belong to a much larger buffer: for a piece that is kept.
  fileprivate var ofItsOwn: Self {
    if case .bytes(let bytes, let origin) = self {
      .bytes(ArraySlice(Array(bytes)), of: origin)
    } else {
      self
    }
  }
}

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
