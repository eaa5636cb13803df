import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client of the control API: a connection for each request, so that nothing of one is left for the next.
struct TestClient: Sendable {
  let port: Int

  /// The response.
  struct Reply: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue.parse(bytes)) ?? .null }

    /// The value at a dotted path of the JSON.
    subscript(path: String) -> JSONValue? { json[path] }
  }

  @discardableResult
  func callAsFunction(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: [(String, String)] = [],
    type: String = "application/json"
  ) async throws -> Reply {
    let stream = try await open(method, path, body, headers: headers, type: type)
    var reply = Reply(status: 0, headers: [:], bytes: [])
    for await part in stream.parts {
      switch part {
      case .head(let head): (reply.status, reply.headers) = (Int(head.status.code), head.headers)
      case .body(let bytes): reply.bytes += Array(buffer: bytes)
      case .end: break
      }
    }
    // The simulator may have closed it already.
    try? await stream.channel.close().get()
    return reply
  }

  /// Sends bytes and returns everything received until the other side closes.
  /// - Parameters:
  ///   - more: what is sent once a text has come back.
  ///   - ends: the client closes its side after what it sends first.
  func raw(
    _ text: String,
    then more: (after: String, text: String)? = nil,
    ends: Bool = false
  ) async throws -> String {
    let (parts, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Bytes(continuation))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    try await channel.writeAndFlush(ByteBuffer(string: text))
    if ends { try await channel.close(mode: .output).get() }
    var answer = ""
    var more = more
    for await part in parts {
      answer += String(buffer: part)
      guard let next = more, answer.contains(next.after) else { continue }
      more = nil
      // A server that has ended the connection by then need not hear it.
      try? await channel.writeAndFlush(ByteBuffer(string: next.text))
    }
    return answer
  }

  private final class Bytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    init(_ continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      continuation.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }

  /// A request whose answer comes bit by bit.
  struct Stream: Sendable {
    let channel: any Channel
    let parts: AsyncStream<HTTPClientResponsePart>
  }

  /// - Parameters:
  ///   - pauses: nothing is read after the head.
  ///   - resets: closing is a reset.
  func open(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: [(String, String)] = [],
    type: String = "application/json",
    pauses: Bool = false,
    resets: Bool = false
  ) async throws -> Stream {
    let (parts, continuation) = AsyncStream.makeStream(of: HTTPClientResponsePart.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.socketOption(.so_rcvbuf), value: pauses ? 16_384 : 1 << 20)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(Collector(continuation, pauses: pauses))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    if resets, let socket = channel as? any SocketOptionProvider {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    var head = HTTPRequestHead(version: .http1_1, method: method, uri: path)
    head.headers.add(name: "Host", value: "127.0.0.1:\(port)")
    for (name, value) in headers { head.headers.replaceOrAdd(name: name, value: value) }
    if let body {
      head.headers.add(name: "Content-Type", value: type)
      head.headers.add(name: "Content-Length", value: "\(body.utf8.count)")
    }
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if let body {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
    }
    try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
    return Stream(channel: channel, parts: parts)
  }

  /// Hands the parts of an answer on; the stream ends with the answer.
  private final class Collector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    private let continuation: AsyncStream<HTTPClientResponsePart>.Continuation
    private let pauses: Bool

    init(_ continuation: AsyncStream<HTTPClientResponsePart>.Continuation, pauses: Bool) {
      self.continuation = continuation
      self.pauses = pauses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let part = unwrapInboundIn(data)
      continuation.yield(part)
      if case .head = part, pauses { context.channel.setOption(.autoRead, value: false).whenFailure { _ in } }
      if case .end = part { continuation.finish() }
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
