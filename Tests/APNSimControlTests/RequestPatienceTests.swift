import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import APNSimControl

@Suite struct `Patience with a connection to the control API` {
  private typealias Request = HTTPServerRequestPart
  private typealias Answer = HTTPServerResponsePart

  private let channel: EmbeddedChannel
  private let put = Request.head(HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/api/v1/scenario"))
  private let ok = Answer.head(HTTPResponseHead(version: .http1_1, status: .ok))

  init() throws {
    channel = EmbeddedChannel(handler: RequestPatienceHandler(ControlLimits(), IdleConnections()))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  private func answers() throws -> [Answer] {
    var found: [Answer] = []
    while let part = try channel.readOutbound(as: Answer.self) { found.append(part) }
    return found
  }

  @Test func `patience with a connection ends with two minutes without a request`() throws {
    pass(119)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
    #expect(try answers().isEmpty)
  }

  @Test func `patience with a connection begins anew after each answer`() throws {
    for _ in 0..<3 {
      pass(119)
      try channel.writeInbound(put)
      try channel.writeInbound(Request.end(nil))
      try channel.writeOutbound(ok)
      try channel.writeOutbound(Answer.end(nil))
    }
    pass(119)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func `patience with a connection does not count while an answer is made or written`() throws {
    try channel.writeInbound(put)
    try channel.writeInbound(Request.end(nil))
    pass(100_000)
    try channel.writeOutbound(ok)
    pass(100_000)
    #expect(channel.isActive)
  }

  @Test func `patience with a connection ends with a request that does not come to its end, and says so`()
    throws
  {
    try channel.writeInbound(put)
    for _ in 0..<59 {
      pass(1)
      try channel.writeInbound(Request.body(ByteBuffer(string: "{")))
    }
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
    let parts = try answers()
    guard case .head(let head)? = parts.first, case .body(.byteBuffer(let body))? = parts.dropFirst().first
    else {
      Issue.record("\(parts)")
      return
    }
    #expect(head.status == .requestTimeout && head.headers["connection"] == ["close"])
    #expect(String(buffer: body).contains("expected the complete request within 60 s of its header"))
  }

  @Test func `patience with a connection does not count what waits for the answer before it`() throws {
    try channel.writeInbound(put)
    try channel.writeInbound(Request.end(nil))
    try channel.writeInbound(put)
    pass(100_000)
    #expect(channel.isActive)
    try channel.writeOutbound(ok)
    try channel.writeOutbound(Answer.end(nil))
    pass(60)
    #expect(!channel.isActive)
  }
}
