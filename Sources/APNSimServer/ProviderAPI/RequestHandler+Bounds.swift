import APNSimCore
import NIOCore

/// The bounds of what a provider makes the server hold: answers are made while there is room for them, and requests are
/// finished in time.
extension RequestHandler {
  /// No further answer is made while so many bytes of them are to be sent.
  private static let roomForAnswers = 256 * 1024

  var waitsForRoom: Bool { rest.readableBytes > 0 }

  /// There is room again: takes what has waited for it.
  func takeRest(_ context: ChannelHandlerContext) {
    guard waitsForRoom, !isTaking, let connection = life.connection else { return }
    let bytes = rest
    rest = ByteBuffer()
    isTaking = true
    readAt = .now()
    takeCounted(bytes, connection, at: WallClock.now(), context)
    takeUnread(context)
    isTaking = false
    flush(context)
    endIfAnswered(context)
  }

  /// True while further answers may be made. Those that are there are sent where they are many.
  func hasRoom(_ context: ChannelHandlerContext) -> Bool {
    guard let count = streams?.outputBytes, count >= Self.roomForAnswers else { return true }
    flush(context)
    return context.channel.isWritable
  }

  /// Counts what the provider makes the server hold; where there is no room for it, the connection ends.
  func keepAccount(_ context: ChannelHandlerContext) {
    guard life.phase == .open, let bytes = streams?.heldBytes, let connection = life.connection else {
      return
    }
    if bytes > 0 { watchUnfinished(context) }
    guard !held.set(bytes &+ sentBytes &+ rest.readableBytes) else { return }
    peer.report("no room for its unfinished requests and unread answers (--max-held)", of: connection.id)
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
      let note = "stream \(first.stream)\(others): \(first.words) (RST_STREAM, code 8)"
      peer.report(note, of: connection.id)
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
