import APNSimCore
import NIOCore

/// The bounds of what a provider makes the server hold, and of how long.
extension RequestHandler {
  /// Counts what the provider makes the server hold; where there is no room for it, the connection ends.
  func keepAccount(_ context: ChannelHandlerContext) {
    guard life.phase == .open, let bytes = streams?.heldBytes, let connection = life.connection else {
      return
    }
    if bytes > 0 { watchUnfinished(context) }
    guard !held.set(bytes &+ sentBytes &+ rest.readableBytes) else { return }
    peer.report(
      "its requests that are not finished and answers that it does not read find no room",
      of: connection.id
    )
    streams?.endForWantOfRoom()
    flush(context)
    closeIfOver(context)
  }

  /// Looks now and then for requests that were begun and are not finished.
  private func watchUnfinished(_ context: ChannelHandlerContext) {
    guard !isWatchingUnfinished, streams?.hasUnfinished == true else { return }
    isWatchingUnfinished = true
    let wait = TimeAmount(peer.timing.requestTimeout / 2)
    context.eventLoop.assumeIsolated().scheduleTask(in: wait) { [weak self, weak context] in
      guard let self, let context else { return }
      self.isWatchingUnfinished = false
      self.refuseUnfinished(context)
    }
  }

  private func refuseUnfinished(_ context: ChannelHandlerContext) {
    guard life.phase == .open, hears, let connection = life.connection else { return }
    let now = WallClock.now()
    let late = streams?.refuseUnfinished(after: peer.timing.requestTimeout, at: now) ?? []
    for request in late { connection.refuse(request, at: now) }
    if let first = late.first {
      let others = late.count > 1 ? " and \(late.count - 1) more" : ""
      peer.report("stream \(first.stream)\(others): \(first.words) (RST_STREAM, code 8)", of: connection.id)
      peer.loop.noteInput()
    }
    flush(context)
    closeIfOver(context)
    keepAccount(context)
  }

  /// Says in the log, once, that a provider reads none of its answers for a while.
  func watchSlowness(_ context: ChannelHandlerContext) {
    guard !isSlowWatched, let connection = life.connection else { return }
    isSlowWatched = true
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(peer.timing.silence)) {
      guard self.life.phase == .open else { return }
      self.isSlowWatched = self.isReadPostponed
      if self.isReadPostponed {
        self.peer.report("it does not read its answers; its requests wait", of: connection.id)
      }
    }
  }
}
