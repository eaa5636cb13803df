internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// A connection to the control API: HTTP/1.1 as the library speaks it, with a problem for what is none, and with the
/// parts of the protocol that the library leaves out.
struct ControlChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  private let http: HTTP1Channel
  private let limits: ControlLimits

  init(_ responder: @escaping HTTPChannelHandler.Responder, _ limits: ControlLimits) {
    http = HTTP1Channel(responder: responder)
    self.limits = limits
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandlers(
        [
          RequestPatienceHandler(limits), LastAnswerHandler(), ExpectationHandler(),
          MalformedRequestHandler(),
        ],
        position: .after(decoder)
      )
      return value
    }
  }

  func handle(value: Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
