import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Turns the library's answer to malformed HTTP, a 400 without a body, into a problem.
final class MalformedRequestHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var mistake: HTTPParserError?

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Errors after the first one are consequences of it.
    mistake = mistake ?? error as? HTTPParserError
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let mistake, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headers["Content-Length"] == ["0"]
    else { return context.write(data, promise: promise) }
    let problem = Self.problem(mistake)
    let body = problem.body
    head.status = HTTPResponseStatus(statusCode: problem.status.code)
    head.headers.replaceOrAdd(name: "Content-Type", value: "application/problem+json")
    head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: promise)
  }

  private static func problem(_ mistake: HTTPParserError) -> ProblemDetails {
    switch mistake {
    case .headerOverflow:
      let limits = HTTP1Channel.Configuration.DecoderConfiguration()
      return ProblemDetails(
        .requestHeaderFieldsTooLarge,
        title: "Header too large",
        detail:
          "expected at most \(limits.maxHeaderFieldCount) fields and \(limits.maxHeaderListSize >> 10) KiB in total"
      )
    case .invalidMethod:
      return ProblemDetails(
        .badRequest,
        title: "Bad request",
        detail: "expected GET, HEAD, POST, PUT, PATCH or DELETE, found an unknown method"
      )
    default:
      return ProblemDetails(
        .badRequest,
        title: "Bad request",
        detail: "expected HTTP/1.1, found something else (\(mistake))"
      )
    }
  }
}
