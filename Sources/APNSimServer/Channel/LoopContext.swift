internal import APNSimCore
internal import NIOCore

/// What the connections of one event loop share; touched on that loop only.
final class LoopContext {
  let readTicker: ReadTicker
  var handshakes: HandshakeQueue
  private let loop: any EventLoop
  private let wakeTimer: WakeTimer
  private var willReconsider = false
  /// How long after an input the timer is looked at: once for all inputs of that time.
  private static let reconsiderDelay = TimeAmount.milliseconds(5)

  init(loop: any EventLoop, wakeTimer: WakeTimer, readDelay: TimeAmount, handshakeLimit: Int) {
    self.loop = loop
    self.wakeTimer = wakeTimer
    readTicker = ReadTicker(loop: loop, delay: readDelay)
    handshakes = HandshakeQueue(limit: handshakeLimit)
  }

  /// Something came in that may have given the simulator something to do later.
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
