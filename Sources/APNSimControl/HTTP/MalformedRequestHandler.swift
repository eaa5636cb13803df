internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Makes a problem of the answer to what is no HTTP: the library's own answer is a 400 without a body.
final class MalformedRequestHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var mistake: HTTPParserError?

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    mistake = error as? HTTPParserError
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let mistake, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headers["Content-Length"] == ["0"]
    else { return context.write(data, promise: promise) }
    let body = Problem(
      .badRequest,
      title: "Bad request",
      detail: "expected HTTP/1.1, found what is none (\(mistake))"
    ).body
    head.headers.replaceOrAdd(name: "Content-Type", value: "application/problem+json")
    head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: promise)
  }
}
