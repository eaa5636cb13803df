internal import APNSimWire

/// One provider's connection to the gateway: bytes in, actions out.
///
/// It decodes and judges without a lock and enters the simulator once per batch. It belongs to whoever feeds it (an
/// event loop, a replay) and is not to be shared. However the bytes are cut, the result is the same.
package final class GatewayConnection {
  /// What the connection does with the next byte.
  enum Phase {
    /// Frames are judged.
    case accepting
    /// A notification was answered on a declared length; its rest is being read past. `seen` bytes of it are known.
    case passing(seen: Int)
    /// Something was answered: frames are read only to say what was discarded.
    case discarding
    /// What comes cannot be cut into frames any more, or is not to be looked at.
    case unreadable
    case closed
  }

  package let id: ConnectionID
  let simulator: Simulator
  let record: ConnectionRecord
  var judge: FrameJudge
  private var judgeVersion: Int
  var phase = Phase.accepting
  /// The beginning of a frame that is not decided yet.
  private var carry: [UInt8] = []
  /// The first bytes that no frame could be made of, and how many there were.
  private var unreadable: [UInt8] = []
  private var unreadableCount = 0
  private(set) var read: UInt32 = 0
  var strike: StreamStrike?

  private static let keptUnreadable = 4096

  init(simulator: Simulator, record: ConnectionRecord, judge: FrameJudge, version: Int) {
    self.simulator = simulator
    self.record = record
    self.judge = judge
    judgeVersion = version
    id = record.id
    strike = record.plan.strike.flatMap { StreamStrike($0) }
    if record.plan.isMute { phase = .unreadable }
  }

  /// What is unusual about this connection, for the listener to perform.
  package var plan: ConnectionPlan { record.plan }

  /// Whether an error response has still to leave: the listener keeps the connection until it has.
  package var hasPendingReply: Bool { simulator.withWorld { _ in record.pending != nil } }

  /// The bytes of that response, as far as they will be written.
  package var pendingResponse: [UInt8] { simulator.withWorld { _ in record.pending?.bytes ?? [] } }

  /// Takes one read's worth of decrypted bytes.
  package func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) -> GatewayAction {
    guard bytes.count > 0 else { return .none }
    simulator.refresh(&judge, version: &judgeVersion)
    read &+= 1
    var action = GatewayAction.none
    guard strike != nil else {
      take(bytes, at: now, &action)
      return action
    }
    let count = strike?.takeBytes(bytes.count) ?? bytes.count
    take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: now, &action)
    if case .accepting = phase {
      if strike?.isDue == true {
        strikeNow(cutting: carry, at: now, &action)
        carry = []
      }
    } else {
      // Something else has ended the judging before.
      strike = nil
    }
    if count < bytes.count { take(UnsafeRawBufferPointer(rebasing: bytes[count...]), at: now, &action) }
    return action
  }

  private func take(_ bytes: UnsafeRawBufferPointer, at now: Timestamp, _ action: inout GatewayAction) {
    var offset = 0
    if !carry.isEmpty { offset = finishCarried(with: bytes, at: now, &action) }
    offset = consume(bytes, from: offset, at: now, &action)
    if offset < bytes.count { carry.append(contentsOf: bytes[offset...]) }
  }

  /// The stream's fault: what is read after it is not looked at.
  /// - Parameter rest: the beginning of a frame that will never be whole: it is journalled where it is cut off.
  func strikeNow(cutting rest: [UInt8], at now: Timestamp, _ action: inout GatewayAction) {
    guard let struck = strike else { return }
    strike = nil
    if case .accepting = phase {} else { return }
    phase = .unreadable
    action.ending = struck.ending
    simulator.enter(at: now) { world in
      if !rest.isEmpty { world.emit(.bytesIn(record.id, rest, count: rest.count)) }
      record.isOver = struck.ending != .stopReading
      world.emit(.faultFired(record.id, struck.fault.name))
    }
  }

  /// Completes the carried frame with as few bytes as possible; returns how many of `bytes` are used.
  private func finishCarried(
    with bytes: UnsafeRawBufferPointer,
    at now: Timestamp,
    _ action: inout GatewayAction
  ) -> Int {
    var used = 0
    var step = 512
    while used < bytes.count {
      let before = carry.count
      let added = min(step, bytes.count - used)
      carry.append(contentsOf: bytes[used..<used + added])
      // A frame that ends in the carry may be followed by the beginning of another one: that is read from `bytes`.
      let consumed = carry.withUnsafeBytes { consume($0, from: 0, at: now, &action, mostFrames: 1) }
      if consumed >= before {
        carry.removeAll(keepingCapacity: carry.capacity <= 4096)
        return used + consumed - before
      }
      if consumed > 0 {
        // By what frames are judged now, this one ended earlier: what follows it goes first.
        carry.removeLast(added)
        carry.removeFirst(consumed)
        step = 512
        continue
      }
      used += added
      step *= 2
    }
    return used
  }

  /// What of an unfinished frame no record has: one that was answered early has a record of its beginning.
  private func unrecorded(_ bytes: [UInt8]) -> [UInt8] {
    if case .passing(let seen) = phase { Array(bytes.dropFirst(seen)) } else { bytes }
  }

  func keepUnreadable(_ bytes: Slice<UnsafeRawBufferPointer>) {
    unreadable.append(contentsOf: bytes.prefix(max(0, Self.keptUnreadable - unreadable.count)))
    receiveUnreadable(bytes.count)
  }

  /// Whether bytes are only counted any more.
  package var isUnreadable: Bool { if case .unreadable = phase { true } else { false } }

  /// Takes bytes of which a journal has no more than how many there were; where that is all they are for.
  package func receiveUnreadable(_ count: Int) {
    unreadableCount.add(saturating: count)
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

  /// The provider will send nothing more. What was complete has been judged; an unfinished frame is dropped.
  package func inputEnded(at now: Timestamp) -> GatewayAction {
    var action = GatewayAction.none
    endFrames(at: now, &action)
    return action
  }

  /// No further frame will come. An answer that waited for one leaves, and the journal has what made it leave in its
  /// place: bytes that no frame could be made of stand there only once the connection is closed.
  func endFrames(at now: Timestamp, _ action: inout GatewayAction) {
    simulator.enter(at: now) { world in
      guard let pending = record.pending, pending.framesLeft > 0 else { return }
      world.emit(.inputEnded(record.id))
      world.releaseAtEnd(of: record, &action)
    }
  }

  /// An operator shuts the gateway down: status 10 names the last accepted notification, and "if the provider sent
  /// others after it, they must be resent" (Binary Provider API, 2018). A connection that has its error already only
  /// ends, with the response that still waits, if one does.
  package func shutdown(at now: Timestamp) -> GatewayAction {
    var action = GatewayAction.none
    action.ending = .drain
    guard case .accepting = phase else {
      if case .closed = phase { return .none }
      simulator.enter(at: now) { world in
        guard record.pending != nil else { return }
        world.emit(.shutdown(record.id))
        world.releaseNow(on: record, &action)
      }
      return action
    }
    phase = .discarding
    simulator.enter(at: now) { world in
      guard !record.isOver else { return }
      world.emit(.shutdown(record.id))
      let response = ErrorResponse(status: .shutdown, identifier: record.lastAccepted)
      world.respond(response, about: 0, on: record, &action)
    }
    return action
  }

  /// The TCP connection is gone.
  package func closed(_ reason: ClosingReason, at now: Timestamp) {
    if case .closed = phase { return }
    let isUnreadable = unreadableCount > 0
    let unfinished = unrecorded(carry)
    let rest = isUnreadable ? unreadable : Array(unfinished.prefix(Self.keptUnreadable))
    let count = isUnreadable ? unreadableCount : unfinished.count
    phase = .closed
    carry = []
    unreadable = []
    simulator.enter(at: now) { world in
      if count > 0, record.isOpen { world.emit(.bytesIn(record.id, rest, count: count)) }
      world.close(record, reason)
    }
  }
}
