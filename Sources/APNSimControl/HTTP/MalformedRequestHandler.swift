import NIOCore
import NIOHTTP1

/// Turns the connection's answer to malformed HTTP, a 400 without a body, into a problem, and finds what the parser lets
/// pass: several Host fields (RFC 9112, section 3.2) and lengths beyond any body.
final class MalformedRequestHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let recent: RecentBytesHandler
  private var mistake: HTTPParserError?
  /// The problem of a request that was refused by its header.
  private var refusal: ProblemDetails?

  init(_ recent: RecentBytesHandler) { self.recent = recent }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard refusal == nil else { return }
    guard case .head(let head) = unwrapInboundIn(data), let problem = Self.problem(head) else {
      return context.fireChannelRead(data)
    }
    refusal = problem
    context.fireErrorCaught(HTTPParserError.unknown)
  }

  private static func problem(_ head: HTTPRequestHead) -> ProblemDetails? {
    let hosts = head.headers["Host"].count
    if hosts > 1 {
      return ProblemDetails(
        .badRequest,
        title: "Bad request",
        detail: "expected one Host header, found \(hosts)"
      )
    }
    if let length = head.headers.first(name: "Content-Length"), Int(length) == nil,
      !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    {
      return beyondAnyBody(length.prefix(40))
    }
    return nil
  }

  private static func beyondAnyBody(_ length: some StringProtocol) -> ProblemDetails {
    ProblemDetails(
      .payloadTooLarge,
      title: "Request body too large",
      detail: "the Content-Length \(length) is beyond what any body may have"
    )
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Errors after the first one are consequences of it.
    if mistake == nil, refusal == nil, let error = error as? HTTPParserError {
      mistake = error
      if error == .invalidContentLength, recent.hasEndlessLength {
        refusal = Self.beyondAnyBody("of 20 digits or more")
      }
    }
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard mistake != nil || refusal != nil, case .head(var head) = unwrapOutboundIn(data),
      head.status == .badRequest,
      head.headers["Content-Length"] == ["0"]
    else { return context.write(data, promise: promise) }
    let problem = refusal ?? Self.problem(mistake ?? .unknown)
    let body = problem.body
    head.status = problem.status
    head.headers.replaceOrAdd(name: "Content-Type", value: "application/problem+json")
    head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: promise)
  }

  private static func problem(_ mistake: HTTPParserError) -> ProblemDetails {
    switch mistake {
    case .headerOverflow:
      let limits = ControlLimits.header
      return ProblemDetails(
        .requestHeaderFieldsTooLarge,
        title: "Header too large",
        detail:
          "expected at most \(limits.maxHeaderFieldCount) fields and \(limits.maxHeaderListSize >> 10) KiB in total"
      )
    case .invalidContentLength:
      return ProblemDetails(
        .badRequest,
        title: "Bad request",
        detail: "expected one Content-Length in digits, at most \(Int.max)"
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
