import APNSimCore
import APNSimWire
import NIOCore

/// Answers, and the endings of a connection of requests.
extension RequestHandler {
  /// Performs what the simulator decided about requests; the answers leave with the next flush.
  func perform(_ actions: RequestActions, _ context: ChannelHandlerContext) {
    guard life.phase == .open else { return }
    if actions.isPlain { streams?.answer(actions.answers) } else { performEach(actions, context) }
    if !actions.answers.isEmpty {
      noteAnswers(actions.answers.count)
      reportRefusals(actions.answers)
    }
    end(actions.ending, context)
  }

  private func reportRefusals(_ answers: [RequestAnswer]) {
    answers.withUnsafeBufferPointer { answers in
      for place in answers.indices where answers[place].isRefusedAuthorization {
        peer.reportRefusal(answers[place])
      }
    }
  }

  private func performEach(_ actions: RequestActions, _ context: ChannelHandlerContext) {
    actions.perform {
      if $0.cut == .none { streams?.answer($0) } else { send($0, context) }
    } frame: { frame in
      streams?.send(frame)
      // A request that comes after GOAWAY is heard to the end, and recorded.
      if case .goAway = frame { hearsToTheEnd = true }
    }
  }

  /// Sends an answer by itself, in TLS records of its own.
  private func send(_ answer: RequestAnswer, _ context: ChannelHandlerContext) {
    flush(context)
    streams?.answer(answer)
    flush(context, answer.cut)
  }

  /// Performs an action that the simulator decided as time passed; only its ending applies here.
  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext) {
    guard life.phase == .open else { return }
    end(action.ending, context)
  }

  func end(_ ending: ConnectionEnding, _ context: ChannelHandlerContext) {
    guard ending != .none else { return }
    flush(context)
    switch ending {
    case .none: break
    case .drain: closeOutput(context)
    case .reset: reset(context)
    case .stopReading: stopReading(context)
    }
  }

  /// Leaves the connection open and unread; the idle time bounds it.
  private func stopReading(_ context: ChannelHandlerContext) {
    ignoresInput = true
    peer.coalescer.dropPostponed()
    context.channel.setOption(.autoRead, value: false).assumeIsolated().whenFailure { _ in
      context.close(promise: nil)
    }
  }

  func end(_ context: ChannelHandlerContext, _ how: KillMode) {
    if how == .reset { return resetNow(context) }
    guard life.phase == .open else { return }
    if how == .shutdown { sayShutdown(context) }
    flush(context)
    closeOutput(context)
  }

  // MARK: Shutdown

  /// Answers that would take their time are given now, then GOAWAY.
  private func sayShutdown(_ context: ChannelHandlerContext) {
    if let connection = life.connection { perform(connection.shutDown(at: WallClock.now()), context) }
    streams?.goAway(Reason.shutdown.name())
  }

  /// Judges and answers first what the provider has sent, which has come when nothing more does for a while.
  func drainOpen(_ context: ChannelHandlerContext) { waitForQuiet(context, .milliseconds(50)) }

  private func waitForQuiet(_ context: ChannelHandlerContext, _ wait: TimeAmount) {
    peer.coalescer.turnOff()
    hasRead = false
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
      guard self.life.phase == .open else { return }
      if self.hasRead { return self.waitForQuiet(context, .milliseconds(200)) }
      self.sayShutdown(context)
      self.flush(context)
      self.closeOutput(context, as: .drained)
    }
  }
}
