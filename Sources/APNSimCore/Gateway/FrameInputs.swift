import APNSimWire

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
    let connection = try GatewayRecord.named(by: &entry, in: &world)
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
    let connection = try GatewayRecord.named(by: &entry, in: &world)
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
struct FrameRest: ConnectionInput {
  let connection: GatewayRecord
  let bytes: [UInt8]

  static var kind: InputKind { .restOfFrame }

  static func read(_ entry: inout StateReader, of connection: GatewayRecord) throws(StateError) -> Self {
    Self(connection: connection, bytes: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) { entry.write(bytes) }

  func apply(to world: inout World) {
    if connection.isOpen { world.emit(.bytesIn(connection.id, bytes, count: bytes.count)) }
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
