import APNSimCore
import APNSimTLS
import NIOCore

/// The state that the connections of one event loop share; used on that loop only.
final class LoopContext {
  let readTicker: ReadTicker
  let plaintext = PlaintextRoom()
  var handshakes: HandshakeQueue
  private let loop: any EventLoop
  private let wakeTimer: WakeTimer
  private var willReconsider = false
  /// The delay after an input before the timer is reconsidered, once for all inputs of that time.
  private static let reconsiderDelay = TimeAmount.milliseconds(5)

  init(loop: any EventLoop, wakeTimer: WakeTimer, readDelay: TimeAmount, handshakeLimit: Int) {
    self.loop = loop
    self.wakeTimer = wakeTimer
    readTicker = ReadTicker(loop: loop, delay: readDelay)
    handshakes = HandshakeQueue(limit: handshakeLimit)
  }

  /// Notes an input, after which the simulator may have something due later.
  @inline(__always)
  func noteInput() {
    if !willReconsider { scheduleReconsidering() }
  }

  private func scheduleReconsidering() {
    willReconsider = true
    loop.assumeIsolated().scheduleTask(in: Self.reconsiderDelay) {
      self.willReconsider = false
      self.wakeTimer.reconsider()
    }
  }
}

/// The connections of one event loop that have not finished their handshake, oldest first, up to a limit.
///
/// Beyond the limit the oldest is dropped: a handshake takes milliseconds, so the oldest of many will never finish,
/// and many silent peers cannot keep providers out.
struct HandshakeQueue {
  private var waiting: CircularBuffer<any Channel> = []
  private var unfinished: Set<ObjectIdentifier> = []
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// Adds a connection and returns the one to be dropped, if any.
  mutating func begin(_ channel: any Channel) -> (any Channel)? {
    var evicted: (any Channel)?
    if unfinished.count >= limit {
      while evicted == nil, let oldest = waiting.popFirst() {
        if unfinished.remove(ObjectIdentifier(oldest)) != nil { evicted = oldest }
      }
    }
    if waiting.count > 2 * limit + 16 {
      waiting = CircularBuffer(waiting.filter { unfinished.contains(ObjectIdentifier($0)) })
    }
    waiting.append(channel)
    unfinished.insert(ObjectIdentifier(channel))
    return evicted
  }

  /// Removes a connection whose handshake has ended, successfully or not.
  mutating func end(_ channel: any Channel) {
    guard unfinished.remove(ObjectIdentifier(channel)) != nil else { return }
    while let oldest = waiting.first, !unfinished.contains(ObjectIdentifier(oldest)) { waiting.removeFirst() }
  }
}
