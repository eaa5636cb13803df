import APNSimCore

/// One TCP connection of a capture: its two directions, and the state of recognizing it.
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
    /// Not recognized yet; no event was emitted.
    case undecided
    /// Imported, under this number.
    case imported(ConnectionID)
    /// Over, or of another protocol; its packets are ignored until the next SYN.
    case ignored
  }

  let key: Key
  /// The number of its first segment in the capture.
  let beginning: Int
  var state = State.undecided
  let begin: Timestamp
  /// True where the lower end is the service; nil while that is not known.
  var isServiceLow: Bool?
  /// The service of the port; nil for a port without one.
  var service: PortRules.Service?
  /// The streams of the lower end and of the higher.
  var fromLow = HalfStream()
  var fromHigh = HalfStream()
  /// The pieces that came out while it was undecided.
  var pending: [(time: Timestamp, isFromLow: Bool, piece: HalfStream.Piece)] = []
  /// The pieces of a side that had acknowledged more of the other than has come out: they may answer what is still
  /// missing. Later pieces of that side wait with them.
  private var blocked: [(time: Timestamp, isFromLow: Bool, piece: HalfStream.Piece)] = []
  /// The end of waiting for the service to be seen; nil where nothing waits for that.
  var waitsUntil: Timestamp?
  /// The way it ends, by the side that ended its stream first or by a reset.
  var ending: StreamEvent.Ending?
  /// The time and side of a reset that the other side may not have received yet.
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

  /// Drops everything but the numbers that distinguish its later packets from those of another connection on the same
  /// ports.
  mutating func ignore() {
    begun = (fromLow.initialSequence, fromHigh.initialSequence)
    state = .ignored
    (pending, blocked, fromLow, fromHigh) = ([], [], HalfStream(), HalfStream())
  }

  /// Takes the pieces of a direction that a segment released.
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

  /// Releases blocked pieces once what they may answer is there or was waited for long enough.
  mutating func unblock(at time: Timestamp, _ limits: StreamLimits) {
    if blocked.count <= limits.patience {
      while let index = firstUnblocked { pending.append(blocked.remove(at: index)) }
    }
    if let first = blocked.first, blocked.count > limits.patience || time - first.time > limits.swapped {
      release()
    }
  }

  /// The first blocked piece of a direction whose first piece waits for nothing more.
  private var firstUnblocked: Int? {
    [true, false].compactMap { isFromLow in
      blocked.firstIndex { $0.isFromLow == isFromLow }
        .flatMap { isBlocked(blocked[$0].piece, isFromLow) ? nil : $0 }
    }.min()
  }

  /// Takes the pieces that the end of a direction released.
  mutating func end(_ pieces: [HalfStream.Piece], isFromLow: Bool, at time: Timestamp) {
    if blocked.contains(where: { $0.isFromLow == isFromLow }) { release() }
    pending += pieces.map { ($0.origin?.time ?? time, isFromLow, $0) }
  }

  /// Releases all blocked pieces.
  mutating func release() {
    pending += blocked
    blocked = []
  }

  /// True where a piece has to wait for the bytes of the other side that its sender had, and for nothing later: a hello
  /// does not wait for the flight that answers it, though the acknowledgement of that may stand before it.
  private func isBlocked(_ piece: HalfStream.Piece, _ isFromLow: Bool) -> Bool {
    guard let acknowledgement = piece.origin?.acknowledgement else { return false }
    let waiting = blocked.reduce(0) { $1.isFromLow == isFromLow ? $0 : $0 + $1.piece.count }
    return (isFromLow ? fromHigh : fromLow).isBehind(acknowledgement, waiting: waiting)
  }

  var peer: NetworkEndpoint? { isServiceLow.map { $0 ? key.high : key.low } }

  func side(isFromLow: Bool) -> StreamEvent.Side { isFromLow == isServiceLow ? .service : .provider }

  /// The first bytes that an end sent, while nothing has been decided.
  func firstBytes(isFromLow: Bool) -> ArraySlice<UInt8> {
    var first: [UInt8] = []
    for entry in pending where entry.isFromLow == isFromLow && first.count < Guess.byteCount {
      // Bytes after a gap are not the first.
      guard case .bytes(let more, _) = entry.piece else { break }
      first += more.prefix(Guess.byteCount - first.count)
    }
    return first[...]
  }

  /// True where a side has begun with a byte of a TLS record, and a gap follows before the record can be told by it.
  var mayBeCutTLS: Bool {
    [true, false].contains { side in
      let own = pending.filter { $0.isFromLow == side }
      guard own.count > 1, case .bytes(let bytes, _) = own[0].piece, case .missing = own[1].piece else {
        return false
      }
      return bytes.count < 3 && bytes.first.map { (0x14...0x17).contains($0) } ?? false
    }
  }

  /// The number of bytes that an end sent while it is undecided.
  func count(isFromLow: Bool) -> Int {
    pending.reduce(0) { sum, entry in
      guard entry.isFromLow == isFromLow, case .bytes(let bytes, _) = entry.piece else { return sum }
      return sum + bytes.count
    }
  }

  /// The guess for a conversation that was joined in the middle, kept while it waits for its service to be seen: the
  /// service's bytes may then be inside of anything.
  var found: Guess?

  /// The number of bytes of both ends at the last search.
  var lookedThrough = 0

  /// The bytes that an end sent while it is undecided, `limit` at most.
  func said(isFromLow: Bool, upTo limit: Int) -> [UInt8] {
    var said: [UInt8] = []
    for entry in pending where entry.isFromLow == isFromLow && said.count < limit {
      if case .bytes(let more, _) = entry.piece { said += more.prefix(limit - said.count) }
    }
    return said
  }

  /// An earlier reading has found a packet of the service.
  var isServiceForeseen = false

  /// The capture has a packet of the service, before or after this point.
  var isServiceSeen: Bool { isServiceForeseen || hasServiceStarted }

  private var hasServiceStarted: Bool {
    isServiceLow.map { $0 ? fromLow.hasStarted : fromHigh.hasStarted } ?? false
  }

  /// The provider has ended, and the capture has no packet of the service: it has one side only.
  var isOverOneSided: Bool {
    guard isWhole, !isServiceSeen, let isServiceLow, case .imported = state else { return false }
    return isServiceLow ? fromHigh.isFinished : fromLow.isFinished
  }

  /// The side that connected was captured from its beginning.
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

/// Distinguishes connections that follow each other on the same ports.
extension Conversation {
  /// The relation of a segment with SYN to the known conversation on its ports.
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
    guard own.hasStarted else { return other.hasBegun(after: asked) ? .own : .another }
    return other.initialSequence != nil && own.isEmpty ? .restart : .another
  }

  /// True where a SYN-ACK answers a SYN: it also acknowledges the data that the SYN carried (RFC 7413).
  private static func isAnswer(_ asked: UInt32, to begin: UInt32) -> Bool { asked &- begin <= 65_535 }
}
