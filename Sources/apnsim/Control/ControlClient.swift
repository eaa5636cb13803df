import APNSimProvider
import APNSimWire
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP/1.1 client of a control API: a connection for each request, its time and its answer bounded.
struct ControlClient: Sendable {
  let target: ControlTarget

  /// The largest answer that is read as a whole, in bytes.
  static let longestAnswer = 64 << 20
  private static let connectTimeout = TimeAmount.seconds(5)

  /// The JSON of a successful answer; null for an empty body.
  /// - Throws: `CommandFailure`: the server's problem in its words, or 69 for a server that is not there.
  @discardableResult
  func json(_ request: ControlRequest) async throws -> JSONValue {
    let answer = try await send(request)
    guard answer.isSuccess else { throw ControlProblem.failure(answer, target) }
    return try answer.json()
  }

  /// A list that comes in pages, joined; what comes with every page stands beside it.
  /// - Parameter name: the member that has the list.
  /// - Throws: as `json`.
  func pages(_ first: ControlRequest, of name: String) async throws -> JSONValue {
    var entries: [JSONValue] = []
    var request = first
    while true {
      let page = try await json(request)
      entries += page.member(name)?.arrayValue ?? []
      guard let next = page.member("next")?.stringValue else {
        let others = page.objectValue?.filter { $0.key != name && $0.key != "next" } ?? []
        return .object([JSONValue.Member(key: name, value: .array(entries))] + others)
      }
      request.query = first.query.filter { $0.name != "after" } + [(name: "after", value: next)]
    }
  }

  /// The answer, whatever its status.
  /// - Throws: `CommandFailure` when there is none.
  func send(_ request: ControlRequest) async throws -> ControlAnswer {
    do {
      return try await collect(request)
    } catch let interruption as ControlInterruption {
      throw CommandFailure(.unreachable, "\(target.url): \(interruption)")
    }
  }

  private func collect(_ request: ControlRequest) async throws -> ControlAnswer {
    try await open(request) { head, parts in
      var answer = ControlAnswer(
        status: Int(head.status.code),
        type: head.headers.first(name: "content-type") ?? "",
        bytes: []
      )
      while let buffer = try await parts.next() {
        answer.bytes += buffer.readableBytesView
        guard answer.bytes.count <= Self.longestAnswer else {
          throw CommandFailure(
            .runtimeError,
            "\(target.url) answered with more than \(Number.grouped(Self.longestAnswer)) bytes"
          )
        }
      }
      return answer
    }
  }

  /// The answer of a request as it comes.
  /// - Throws: what `each` throws; `CommandFailure` for an answer that says no, and a `ControlInterruption` for a
  ///   connection that broke in the middle.
  func stream(_ request: ControlRequest, each: (ByteBuffer) throws -> Void) async throws {
    try await open(request) { head, parts in
      guard head.status == .ok else {
        var answer = ControlAnswer(status: Int(head.status.code), type: "", bytes: [])
        while answer.bytes.count < 65_536, let buffer = try await parts.next() {
          answer.bytes += buffer.readableBytesView
        }
        throw ControlProblem.failure(answer, target)
      }
      while let buffer = try await parts.next() { try each(buffer) }
    }
  }

  private func open<Result>(
    _ request: ControlRequest,
    _ body: (HTTPResponseHead, inout ControlBody) async throws -> Result
  ) async throws -> Result {
    guard !request.path.contains("") else {
      throw CommandFailure(
        .usage,
        "expected a name of 1 to 255 bytes, found an empty one",
        hints: ["is a variable unset?"]
      )
    }
    let connection = try await connect()
    let channel = connection.channel
    let isLate = Atomic(false)
    let alarm = request.timeout.map { limit in
      channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
        isLate.store(true, ordering: .relaxed)
        channel.close(promise: nil)
      }
    }
    defer { alarm?.cancel() }
    do {
      return try await connection.executeThenClose { inbound, outbound in
        try await outbound.write(contentsOf: parts(of: request))
        var iterator = inbound.makeAsyncIterator()
        guard let first = try await iterator.next() else { throw ControlInterruption.early }
        guard case .head(let head) = first else { throw ControlInterruption.early }
        var rest = ControlBody(iterator)
        return try await body(head, &rest)
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      if isLate.load(ordering: .relaxed) {
        let limit = request.timeout.map { "\($0 / .seconds(1))" } ?? "?"
        throw CommandFailure(.unreachable, "\(target.url) did not answer within \(limit) s")
      }
      if error is HTTPParserError || error is NIOHTTPDecoderError {
        throw CommandFailure(
          .runtimeError,
          "\(target.url) does not speak HTTP",
          hints: [
            "the control API has a port of its own, \(ControlURL.usualPort) by default; gateway and feedback do not"
          ]
        )
      }
      guard error is IOError || error is ChannelError else { throw error }
      throw ControlInterruption.broken(ProviderFailure.words(error))
    }
  }

  private func connect() async throws -> NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart> {
    do {
      return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(Self.connectTimeout)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connect(host: target.url.host, port: target.url.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
          }
        }
    } catch {
      throw ControlFailure.unreachable(error, target)
    }
  }

  private func parts(of request: ControlRequest) -> [HTTPClientRequestPart] {
    var headers: HTTPHeaders = ["Host": target.url.authority, "Connection": "close"]
    headers.add(name: "User-Agent", value: "apnsim/\(ProgramVersion.text)")
    if let token = target.token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let id = request.lastEventID { headers.add(name: "Last-Event-ID", value: id) }
    if let body = request.body {
      headers.add(name: "Content-Type", value: body.type)
      headers.add(name: "Content-Length", value: "\(body.bytes.count)")
    }
    let head = HTTPRequestHead(
      version: .http1_1,
      method: HTTPMethod(rawValue: request.method.rawValue),
      uri: request.target(sandbox: target.sandbox),
      headers: headers
    )
    let body = request.body.map { [HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0.bytes)))] }
    return [.head(head)] + (body ?? []) + [.end(nil)]
  }
}

/// The body of an answer, piece by piece.
struct ControlBody {
  private var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
  private var isOver = false

  init(_ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator) { self.parts = parts }

  /// Nil at the body's proper end.
  /// - Throws: `ControlInterruption` when the connection ends before.
  mutating func next() async throws -> ByteBuffer? {
    while !isOver {
      switch try await parts.next() {
      case .head: continue
      case .body(let buffer): return buffer
      case .end: isOver = true
      case nil: throw ControlInterruption.early
      }
    }
    return nil
  }
}
