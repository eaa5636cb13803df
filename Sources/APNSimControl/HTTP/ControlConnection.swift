import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// A connection to the control API. It answers its requests one after the other, however many have come.
final class ControlConnection {
  typealias Parts = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  typealias Responder = @Sendable (HTTPRequest, ControlConnection) async -> Response
  private typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  let channel: any Channel
  private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
  /// True until the end of the latest request has been read.
  private var isReading = false

  private init(_ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>) {
    self.channel = channel
    parts = inbound.makeAsyncIterator()
  }

  /// Answers until the client has sent its last request or is gone. If the server is to stop, it answers what has come.
  static func serve(_ parts: Parts, _ responder: Responder) async {
    let channel = parts.channel
    // Errors are those of a client that is gone.
    try? await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await parts.executeThenClose { inbound, outbound in
          try await ControlConnection(channel, inbound).answerAll(outbound, responder)
          outbound.finish()
          // The last answer may still be on its way.
          try await channel.closeFuture.get()
        }
      } onGracefulShutdown: {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
    } onCancel: {
      channel.close(mode: .input, promise: nil)
    }
  }

  private func answerAll(_ outbound: Outbound, _ responder: Responder) async throws {
    do {
      while let request = try await next() {
        try await write(responder(request, self), outbound)
      }
    } catch is HTTPParserError {
      // The handler of malformed requests says what is wrong.
      let fields: HTTPHeaders = ["Connection": "close"]
      try await write(Response(status: .badRequest, headers: fields), outbound)
    }
  }

  /// The next request. What is left of the body before it is passed over.
  private func next() async throws -> HTTPRequest? {
    while let part = try await parts.next() {
      guard case .head(let head) = part else { continue }
      isReading = true
      return HTTPRequest(head)
    }
    return nil
  }

  /// Reads the body of the latest request.
  /// - Throws: `NIOTooManyBytesError` if it has more bytes, or the parser's error.
  func body(upTo most: Int) async throws -> ByteBuffer {
    var body = ByteBuffer()
    while isReading, let part = try await parts.next() {
      guard case .body(var bytes) = part else {
        isReading = false
        break
      }
      guard bytes.readableBytes <= most - body.readableBytes else {
        throw NIOTooManyBytesError(maxBytes: most)
      }
      body.writeBuffer(&bytes)
    }
    return body
  }

  private func write(_ response: Response, _ outbound: Outbound) async throws {
    let head = HTTPServerResponsePart.head(
      HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
    )
    // An answer that is all there leaves at once.
    if case .bytes(let bytes) = response.body {
      return try await outbound.write(contentsOf: [head, .body(.byteBuffer(bytes)), .end(nil)])
    }
    try await outbound.write(head)
    try await response.body.send(on: channel.eventLoop) { try await outbound.write(.body(.byteBuffer($0))) }
    try await outbound.write(.end(nil))
  }
}
