import APNSimWire

/// A provider connects to the gateway.
struct GatewayOpening: Input, KeptByMembers {
  let opening: ConnectionOpening

  static let members = Members(Self.init, \.opening)

  static var kind: InputKind { .gatewayOpened }

  func refusal(in world: inout World) -> Result<GatewayRecord, TurnedAway>? { .failure(.suspended) }

  func apply(to world: inout World) -> Result<GatewayRecord, TurnedAway> {
    guard !world.refusesForChurn(opening) else { return .failure(.churn) }
    guard let record = world.openGateway(opening) else { return .failure(.noRoom) }
    return .success(record)
  }
}

/// Frames that one read brought, up to the first that ends the connection.
struct Frames: Input {
  let batch: World.Batch
  let strike: StreamStrike?
  /// The bytes of the read that have been counted and come after these.
  let bytesAhead: Int

  static var kind: InputKind { .frames }

  var matters: Bool { batch.connection.isOpen }

  /// The simulator's answer to a batch.
  enum Outcome {
    /// A command changed meanwhile what frames are judged by.
    case overtaken
    /// The connection has been ended. Its provider has not noticed yet, and what it writes comes too late.
    case over
    /// Nothing can be kept, and so nothing is taken.
    case refused
    /// Taken; up to the frame that ended the connection, where one did.
    case taken(last: Int?, GatewayAction)
    /// Taken, and the stream's fault struck after it.
    case struck(GatewayAction)
  }

  /// Frames were judged without the lock, by what held then: those that a command overtook are judged again.
  @inline(__always)
  func idleOutcome(in world: inout World) -> Outcome? {
    guard !batch.connection.isOver else { return .over }
    return world.judge == batch.judge ? nil : .overtaken
  }

  func refusal(in world: inout World) -> Outcome? { .refused }

  func write(to entry: inout StateWriter) {
    entry.write(raw: batch.connection.id.rawValue)
    entry.write(raw: batch.read)
    entry.write(raw: UInt16(truncatingIfNeeded: batch.count))
    // Where all of them pass, the fault strikes that was due after them.
    (struckAfter != nil).write(to: &entry)
  }

  var bulk: UnsafeRawBufferPointer { batch.frames }

  /// The fault that strikes once all frames have been taken; nil where none does.
  private var struckAfter: StreamStrike? {
    guard var strike else { return nil }
    strike.countFrames(batch.count)
    return strike.isDue(bytesAhead: bytesAhead) ? strike : nil
  }

  @inline(__always)
  func apply(to world: inout World) -> Outcome {
    let (last, action) = world.accept(batch)
    // Nothing of another connection comes between a batch and the fault that it sets off.
    guard last == nil, let strike = struckAfter else { return .taken(last: last, action) }
    var both = action
    both.follow(world.strike(strike, batch.connection))
    return .struck(both)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let connection = try world.gateway(&entry)
    let (read, count) = (try entry.raw(UInt32.self), Int(try entry.raw(UInt16.self)))
    let isStruck = try entry.read(Bool.self)
    let judge = world.judge
    try World.Batch.withFrames(of: &entry, count, .judging(judge.limits), judge, connection, read: read) {
      let (last, _) = world.accept($0)
      if last == nil, isStruck, let strike = connection.plan.strike.flatMap({ StreamStrike($0) }) {
        _ = world.strike(strike, connection)
      }
    }
  }
}

/// Frames that came after the error: they are read only to say what was discarded.
struct DiscardedFrames: Input {
  /// Nil where the bytes are no frame at all.
  let batch: World.Batch?
  let connection: GatewayRecord
  /// True where what follows them cannot be cut into frames.
  let isEnd: Bool

  static var kind: InputKind { .framesDiscarded }

  var matters: Bool { connection.isOpen }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    entry.write(raw: batch?.read ?? 0)
    entry.write(raw: UInt16(truncatingIfNeeded: batch?.count ?? 0))
    isEnd.write(to: &entry)
  }

  var bulk: UnsafeRawBufferPointer { batch?.frames ?? UnsafeRawBufferPointer(start: nil, count: 0) }

  func apply(to world: inout World) -> GatewayAction {
    var action = batch.map { world.discard($0) } ?? .none
    if isEnd { action.follow(world.endFrames(of: connection)) }
    return action
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let connection = try world.gateway(&entry)
    let (read, count) = (try entry.raw(UInt32.self), Int(try entry.raw(UInt16.self)))
    let isEnd = try entry.read(Bool.self)
    if count > 0 {
      try World.Batch.withFrames(of: &entry, count, .reading, world.judge, connection, read: read) {
        _ = world.discard($0)
      }
    }
    if isEnd { _ = world.endFrames(of: connection) }
  }
}

/// The rest of a notification that was answered early.
struct FrameRest: Input {
  let connection: GatewayRecord
  let bytes: [UInt8]

  static var kind: InputKind { .restOfFrame }

  var matters: Bool { connection.isOpen }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    entry.write(bytes)
  }

  func apply(to world: inout World) {
    if connection.isOpen { world.emit(.bytesIn(connection.id, bytes, count: bytes.count)) }
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    FrameRest(connection: try world.gateway(&entry), bytes: try entry.read()).apply(to: &world)
  }
}

/// The stream's fault strikes, before a frame or within one.
struct StreamStriking: Input {
  let connection: GatewayRecord
  let strike: StreamStrike
  /// The beginning of a frame that will never be whole: it is journalled where it is cut off.
  let rest: [UInt8]

  static var kind: InputKind { .streamStruck }

  var matters: Bool { connection.isOpen }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    entry.write(rest)
  }

  func apply(to world: inout World) -> GatewayAction {
    if !rest.isEmpty, connection.isOpen { world.emit(.bytesIn(connection.id, rest, count: rest.count)) }
    return world.strike(strike, connection)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let connection = try world.gateway(&entry)
    guard let strike = connection.plan.strike.flatMap({ StreamStrike($0) }) else {
      throw entry.error("connection \(connection.id) was expected to have a fault that strikes")
    }
    _ = StreamStriking(connection: connection, strike: strike, rest: try entry.read()).apply(to: &world)
  }
}

/// No further frame will come: an answer that waited for one leaves.
struct FramesEnd: Input {
  let connection: GatewayRecord

  static var kind: InputKind { .framesEnded }

  var matters: Bool { connection.isOpen }

  func idleOutcome(in world: inout World) -> GatewayAction? {
    connection.replies.first.map { $0.framesLeft > 0 } == true ? nil : GatewayAction.none
  }

  func write(to entry: inout StateWriter) { entry.write(raw: connection.id.rawValue) }

  func apply(to world: inout World) -> GatewayAction { world.endFrames(of: connection) }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    _ = FramesEnd(connection: try world.gateway(&entry)).apply(to: &world)
  }
}

/// An operator shuts a connection down, or nothing can be kept any more.
struct GatewayShutdown: Input {
  let connection: GatewayRecord
  /// True while no notification of it has been refused: it gets a response that names the last accepted one.
  let isAccepting: Bool

  static var kind: InputKind { .gatewayShutDown }

  var matters: Bool { connection.isOpen }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    isAccepting.write(to: &entry)
  }

  func apply(to world: inout World) -> GatewayAction {
    var drain = GatewayAction.none
    drain.ending = .drain
    guard connection.isOpen else { return drain }
    guard isAccepting else {
      guard !connection.replies.isEmpty else { return drain }
      world.emit(.shutdown(connection.id))
      return world.releaseNow(on: connection)
    }
    guard !connection.isOver else { return drain }
    world.emit(.shutdown(connection.id))
    world.noteStanding(on: connection)
    let response = ErrorResponse(status: .shutdown, identifier: connection.lastAccepted)
    return world.respond(response, about: 0, on: connection, ending: .drain)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let connection = try world.gateway(&entry)
    _ = GatewayShutdown(connection: connection, isAccepting: try entry.read()).apply(to: &world)
  }
}

/// A connection to the gateway is gone.
struct GatewayClosing: Input {
  let connection: GatewayRecord
  /// The bytes that no frame could be made of, as many as were kept, and how many there were.
  let rest: [UInt8]
  let count: Int
  let reason: ClosingReason
  /// The frame that its provider has begun and not finished, which its reader has noted.
  let progress: FrameProgress.Mark

  static var kind: InputKind { .gatewayClosed }

  var matters: Bool { connection.isOpen }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    entry.write(rest)
    entry.write(count)
    entry.write(reason)
    entry.write(raw: progress)
  }

  func apply(to world: inout World) {
    if count > 0, connection.isOpen { world.emit(.bytesIn(connection.id, rest, count: count)) }
    world.close(connection, reason)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let input = GatewayClosing(
      connection: try world.gateway(&entry),
      rest: try entry.read(),
      count: try entry.read(),
      reason: try entry.read(),
      progress: try entry.raw(FrameProgress.Mark.self)
    )
    input.connection.progress.note(input.progress)
    input.apply(to: &world)
  }
}

extension World {
  /// The connection to the gateway that an entry is about.
  func gateway(_ entry: inout StateReader) throws(StateError) -> GatewayRecord {
    let id = ConnectionID(rawValue: try entry.raw(UInt32.self))
    guard let record = connections.gateway(id) else {
      throw entry.error("a connection to the gateway was expected, and \(id) is none")
    }
    return record
  }

  /// The stream's fault strikes: the end of the connection, or of reading it.
  mutating func strike(_ strike: StreamStrike, _ record: GatewayRecord) -> GatewayAction {
    // The simulator has ended it by now, and its provider has not noticed.
    guard !record.isOver else { return .none }
    if strike.ending != .stopReading { record.conclude() }
    emit(.faultFired(record.id, strike.fault.name))
    var action = GatewayAction.none
    action.ending = strike.ending
    return action
  }

  /// No further frame will come: an answer that waited for one leaves.
  mutating func endFrames(of record: GatewayRecord) -> GatewayAction {
    guard record.isOpen, let pending = record.replies.first, pending.framesLeft > 0 else { return .none }
    emit(.inputEnded(record.id))
    return releaseAtEnd(of: record)
  }
}

extension World.Batch {
  /// The bytes of its frames, from the first to the last.
  var frames: UnsafeRawBufferPointer {
    guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: buffer[submissions[0].start..<submissions[count - 1].end])
  }

  /// Reads the frames that are left of an entry, so many, as the connection did.
  static func withFrames(
    of entry: inout StateReader,
    _ count: Int,
    _ mode: FrameDecoder.Mode,
    _ judge: FrameJudge,
    _ connection: GatewayRecord,
    read: UInt32,
    _ body: (World.Batch) -> Void
  ) throws(StateError) {
    let place = entry.offset
    let bytes = try entry.take(entry.rest.count)
    let found = withUnsafeTemporaryAllocation(of: Submission.self, capacity: max(1, count)) { submissions in
      var (found, offset) = (0, 0)
      let isJudging = if case .judging = mode { true } else { false }
      while found < count, let frame = FrameDecoder.next(in: bytes, from: offset, mode: mode) {
        submissions.initializeElement(at: found, to: Submission(fields: frame.fields))
        if isJudging {
          judge.judge(frame.envelope, into: &submissions[found], in: bytes)
        } else {
          judge.take(frame.envelope, into: &submissions[found])
        }
        offset = frame.end
        found += 1
      }
      if found == count, let base = submissions.baseAddress {
        body(
          World.Batch(
            submissions: base,
            count: count,
            buffer: bytes,
            judge: judge,
            connection: connection,
            read: read
          )
        )
      }
      return found
    }
    guard found == count else {
      throw StateError("\(count) frames were expected, and \(found) found", at: place)
    }
  }
}
