package import APNSimWire

/// One provider's connection to the gateway: bytes in, actions out.
///
/// It decodes and judges without a lock and enters the simulator once per batch. It belongs to whoever feeds it (an
/// event loop, a replay) and is not to be shared. However the bytes are cut, the result is the same.
package final class GatewayConnection {
  /// The state of the connection: what it does with the next byte.
  enum Phase {
    /// Frames are judged, until the stream's fault strikes where it has one.
    case accepting(StreamStrike?)
    /// A notification was answered on a declared length; its rest is being read past. `seen` bytes of it are known.
    case passing(seen: Int)
    /// Something was answered: frames are read only to say what was discarded.
    case discarding
    /// Bytes cannot be cut into frames any more, or are not to be looked at.
    case unreadable(UnreadableBytes)
    case closed
  }

  package let id: ConnectionID
  let simulator: Simulator
  let record: GatewayRecord
  var judge: FrameJudge
  private var judgeVersion: Int
  private var phase: Phase
  /// The beginning of a frame that is not decided yet.
  private var carry: [UInt8] = []
  private(set) var read: UInt32 = 0
  /// True while the record says that a frame has begun.
  private var isWithinFrame = false

  init(simulator: Simulator, record: GatewayRecord, judge: FrameJudge, version: Int) {
    self.simulator = simulator
    self.record = record
    self.judge = judge
    judgeVersion = version
    id = record.id
    phase =
      record.plan.isMute
      ? .unreadable(UnreadableBytes()) : .accepting(record.plan.strike.flatMap { StreamStrike($0) })
  }

  /// The faults of this connection, for the listener to perform.
  package var plan: ConnectionPlan { record.plan }

  /// An error response has still to leave: the listener keeps the connection until it has.
  package var hasPendingReply: Bool { simulator.withWorld { _ in !record.replies.isEmpty } }

  /// The bytes of that response, as far as they will be written.
  package var pendingResponse: [UInt8] { simulator.withWorld { _ in record.replies.first?.bytes ?? [] } }

  /// The frame that the provider has begun and not finished; nil where the connection was ended on our side.
  package var unfinished: UnfinishedFrame? {
    guard let frame = record.progress.current else { return nil }
    return simulator.withWorld { _ in record.isOver } ? nil : frame
  }

  /// Bytes are only counted any more.
  package var isUnreadable: Bool { if case .unreadable = phase { true } else { false } }

  // MARK: Reading

  /// Takes one read's worth of decrypted bytes.
  package func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) -> GatewayAction {
    guard bytes.count > 0 else { return .none }
    simulator.refresh(&judge, version: &judgeVersion)
    read &+= 1
    let action: GatewayAction
    if case .accepting(let strike?) = phase {
      action = take(bytes, until: strike, at: now)
    } else {
      action = take(bytes, at: now)
    }
    if !carry.isEmpty || isWithinFrame { noteProgress(at: now) }
    return action
  }

  /// Says in the record which frame has begun. After an error none is waited for.
  @inline(never)
  private func noteProgress(at now: Timestamp) {
    var frame: UnfinishedFrame?
    if case .accepting = phase { frame = carry.withUnsafeBytes { UnfinishedFrame($0) } }
    isWithinFrame = frame != nil
    record.progress.note(frame, at: now)
  }

  /// Takes bytes that a journal says one read brought, and numbers what comes of them so.
  package func receive(
    _ bytes: UnsafeRawBufferPointer,
    read number: UInt32,
    at now: Timestamp
  ) -> GatewayAction {
    if number > 0 { read = number &- 1 }
    return receive(bytes, at: now)
  }

  /// Takes bytes of which a journal has no more than how many there were; where that is all they are for.
  package func receiveUnreadable(_ count: Int) {
    guard case .unreadable(var bytes) = phase else { return }
    bytes.skip(count)
    phase = .unreadable(bytes)
  }

  /// Takes the bytes up to the stream's fault by themselves: what is read after it is not looked at.
  private func take(
    _ bytes: UnsafeRawBufferPointer,
    until strike: StreamStrike,
    at now: Timestamp
  ) -> GatewayAction {
    var strike = strike
    let count = strike.takeBytes(bytes.count)
    phase = .accepting(strike)
    var action = take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: now)
    if case .accepting(let strike?) = phase, strike.isDue {
      action.follow(perform(strike, cutting: carry, at: now))
      phase = .unreadable(UnreadableBytes())
      carry = []
    }
    if count < bytes.count {
      action.follow(take(UnsafeRawBufferPointer(rebasing: bytes[count...]), at: now))
    }
    return action
  }

  private func take(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) -> GatewayAction {
    var (offset, action) = carry.isEmpty ? (0, .none) : finishCarried(with: bytes, at: now)
    let (end, next) = consume(bytes, from: offset, ahead: 0, at: now)
    offset = end
    action.follow(next)
    if offset < bytes.count { carry.append(contentsOf: bytes[offset...]) }
    return action
  }

  /// Completes the carried frame with as few bytes as possible; returns how many of `bytes` are used.
  private func finishCarried(
    with bytes: UnsafeRawBufferPointer,
    at now: Timestamp
  ) -> (used: Int, action: GatewayAction) {
    var (used, action) = (0, GatewayAction.none)
    var step = 512
    while used < bytes.count {
      let before = carry.count
      let added = min(step, bytes.count - used)
      carry.append(contentsOf: bytes[used..<used + added])
      // A frame that ends in the carry may be followed by the beginning of another one: that is read from `bytes`.
      let ahead = bytes.count - used - added
      let (consumed, next) = carry.withUnsafeBytes {
        consume($0, from: 0, ahead: ahead, at: now, mostFrames: 1)
      }
      action.follow(next)
      if consumed >= before {
        carry.removeAll(keepingCapacity: carry.capacity <= 4096)
        return (used + consumed - before, action)
      }
      if consumed > 0 {
        // As frames are judged now, this one ended earlier: the bytes after it go first.
        carry.removeLast(added)
        carry.removeFirst(consumed)
        step = 512
        continue
      }
      used += added
      step *= 2
    }
    return (used, action)
  }

  /// Reads frames from `start` on; returns where it stopped because the rest is not decided yet.
  /// - Parameter ahead: the number of bytes of this read that come after the buffer.
  private func consume(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    ahead: Int,
    at now: Timestamp,
    mostFrames: Int = .max
  ) -> (end: Int, action: GatewayAction) {
    var (offset, action, frames) = (start, GatewayAction.none, 0)
    while offset < buffer.count, frames < mostFrames {
      let step = step(from: phase, buffer, at: offset, ahead: ahead, most: mostFrames, now)
      action.follow(step.action)
      // The connection may have been closed meanwhile, by somebody whom the simulator told of something.
      if case .closed = phase { return (buffer.count, action) }
      phase = step.phase
      if step.isWaiting { break }
      if step.end > offset { frames += 1 }
      offset = step.end
    }
    return (offset, action)
  }

  // MARK: Ending

  /// The provider will send nothing more. What was complete has been judged; an unfinished frame is dropped.
  package func inputEnded(at now: Timestamp) -> GatewayAction { endFrames(at: now) }

  /// An operator shuts the gateway down: status 10 names the last accepted notification, and "if the provider sent
  /// others after it, they must be resent" (Binary Provider API, 2018). A connection that has its error already only
  /// ends, with the response that still waits, if one does.
  package func shutdown(at now: Timestamp) -> GatewayAction {
    var isAccepting = false
    switch phase {
    case .closed: return .none
    case .passing, .discarding, .unreadable: break
    case .accepting:
      phase = .discarding
      isAccepting = true
    }
    return simulator.submit(GatewayShutdown(connection: record, isAccepting: isAccepting), at: now)
  }

  /// The TCP connection is gone.
  package func closed(_ reason: ClosingReason, at now: Timestamp) {
    let rest: UnreadableBytes
    switch phase {
    case .closed: return
    case .unreadable(let bytes) where bytes.count > 0: rest = bytes
    // Of a notification that was answered early the beginning has a record.
    case .passing(let seen): rest = UnreadableBytes(carry.dropFirst(seen))
    case .accepting, .discarding, .unreadable: rest = UnreadableBytes(carry[...])
    }
    phase = .closed
    carry = []
    let keepsTokens = !simulator.configuration.rules.areTokensBlotted
    simulator.submit(
      GatewayClosing(
        connection: record,
        rest: keepsTokens ? rest.first : rest.withoutTokens,
        count: rest.count,
        reason: reason,
        progress: record.progress.mark
      ),
      at: now
    )
  }
}

/// Bytes that no frame could be made of: the first of them, and how many there were.
struct UnreadableBytes {
  private(set) var first: [UInt8] = []
  private(set) var count = 0

  /// The most bytes that are kept.
  private static let most = 4096

  /// The same without what a client of HTTP sends to the wrong port: provider tokens in text, and all of HTTP/2 after its
  /// preface, where headers are compressed.
  var withoutTokens: [UInt8] {
    var bytes = first
    bytes.withUnsafeMutableBytes { ProviderToken.blot(in: $0) }
    let preface = Array(" * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    // The command is not among the bytes, or it is.
    for start in ["RI".utf8.count, "PRI".utf8.count] where bytes.dropFirst(start).starts(with: preface) {
      for place in bytes.indices.dropFirst(start + preface.count) { bytes[place] = UInt8(ascii: "x") }
    }
    return bytes
  }

  init() {}

  init(_ bytes: ArraySlice<UInt8>) {
    first = Array(bytes.prefix(Self.most))
    count = bytes.count
  }

  mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
    if first.count < Self.most { first.append(contentsOf: bytes.prefix(Self.most - first.count)) }
    skip(bytes.count)
  }

  /// Counts bytes that nobody has.
  mutating func skip(_ bytes: Int) { count.add(saturating: bytes) }
}
