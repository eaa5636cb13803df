internal import NIOCore

/// The shared beat of one event loop on which postponed reads go on.
///
/// One scheduled task releases all of them: with a timer for each connection, eight chatty ones gained almost
/// nothing.
final class ReadTicker {
  let delay: TimeAmount
  private let loop: any EventLoop
  private var waiting: [ReadCoalescer] = []

  init(loop: any EventLoop, delay: TimeAmount) {
    self.loop = loop
    self.delay = delay
  }

  func postpone(_ reader: ReadCoalescer) {
    waiting.append(reader)
    guard waiting.count == 1 else { return }
    loop.assumeIsolated().scheduleTask(in: delay) { self.release() }
  }

  private func release() {
    let readers = waiting
    waiting = []
    for reader in readers { reader.readPostponed() }
  }
}
