import APNSimTLS
import APNSimTestSupport
import NIOCore
import NIOEmbedded
import Testing

@Suite(.mustNotHang)
struct RecordTests {
  private func pair(_ version: TLSVersion, ciphers: String? = nil) throws -> EmbeddedPair {
    try EmbeddedPair(
      client: Contexts.client {
        $0.maximum = .v1_3
        $0.cipherList = ciphers
      },
      server: Contexts.server {
        $0.minimum = version
        $0.maximum = version
      }
    )
  }

  @Test(arguments: TLSVersion.allCases)
  func `a handshake and data survive being cut into single bytes`(version: TLSVersion) throws {
    let pair = try pair(version)
    defer { pair.finish() }
    try pair.pump(cut: { 1 })
    #expect(pair.clientSaw.handshakes == 1 && pair.serverSaw.handshakes == 1)
    try pair.client.writeOutbound(ByteBuffer(string: "hello"))
    try pair.pump(cut: { 1 })
    #expect(pair.serverSaw.bytes == Array("hello".utf8))
    #expect(pair.serverSaw.reads.count == 1)
  }

  @Test(arguments: TLSVersion.allCases, [1, 2, 3])
  func `any cut gives the same data`(version: TLSVersion, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pair = try pair(version)
    defer { pair.finish() }
    let cut = { Int(random.next() % 700) }
    try pair.pump(cut: cut)
    var sent: [UInt8] = []
    for size in [1, 160, 4096, 16_384, 40_000] {
      let message = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      sent += message
      pair.client.write(ByteBuffer(bytes: message), promise: nil)
    }
    pair.client.flush()
    try pair.pump(cut: cut)
    #expect(pair.serverSaw.bytes == sent)
  }

  @Test(arguments: TLSVersion.allCases)
  func `one write is one record up to 16,384 bytes, in every version`(version: TLSVersion) throws {
    // AES-CBC in TLS 1.0 is where libraries like to put an empty record in front.
    let pair = try pair(version, ciphers: version < .v1_2 ? "AES128-SHA:@SECLEVEL=0" : nil)
    defer { pair.finish() }
    try pair.pump()
    for (size, count) in [(1, 1), (6, 1), (38, 1), (16_384, 1), (16_385, 2), (32_768, 2)] {
      pair.server.writeAndFlush(ByteBuffer(repeating: 7, count: size), promise: nil)
      let sent = records(try EmbeddedPair.output(pair.server))
      #expect(sent.map(\.type) == Array(repeating: 23, count: count), "\(size) bytes")
    }
  }

  @Test
  func `writes flushed together are one record each and one socket write in all`() throws {
    let pair = try pair(.v1_2)
    defer { pair.finish() }
    try pair.pump()
    let done = (0..<10).map { _ in pair.server.eventLoop.makePromise(of: Void.self) }
    for promise in done { pair.server.write(ByteBuffer(repeating: 1, count: 38), promise: promise) }
    #expect(try pair.server.readOutbound(as: ByteBuffer.self) == nil)
    pair.server.flush()
    let sent = try #require(try pair.server.readOutbound(as: ByteBuffer.self))
    #expect(try pair.server.readOutbound(as: ByteBuffer.self) == nil)
    #expect(records(Array(sent.readableBytesView)).count == 10)
    for promise in done { try promise.futureResult.wait() }
  }

  @Test
  func `an empty write sends nothing and succeeds`() throws {
    let pair = try pair(.v1_2)
    defer { pair.finish() }
    try pair.pump()
    try pair.server.writeAndFlush(ByteBuffer()).wait()
    #expect(try EmbeddedPair.output(pair.server).isEmpty)
  }

  @Test
  func `one network read with some records is one channelRead, with very many a few large ones`() throws {
    let pair = try pair(.v1_2)
    defer { pair.finish() }
    try pair.pump()
    for (count, isMany) in [(30, false), (300, true)] {
      let before = pair.serverSaw.reads.count
      for _ in 0..<count { pair.client.write(ByteBuffer(repeating: 2, count: 160), promise: nil) }
      pair.client.flush()
      try pair.pump()
      let reads = pair.serverSaw.reads.dropFirst(before).map(\.readableBytes)
      #expect(reads.reduce(0, +) == count * 160)
      #expect(reads.dropLast().allSatisfy { $0 >= 8192 })
      #expect((reads.count > 1) == isMany)
    }
  }

  @Test
  func `a buffer that somebody keeps is not overwritten by the next read`() throws {
    let pair = try pair(.v1_2)
    defer { pair.finish() }
    try pair.pump()
    for text in ["first", "second", "third"] {
      try pair.client.writeOutbound(ByteBuffer(string: text))
      try pair.pump()
    }
    #expect(pair.serverSaw.reads.map { String(buffer: $0) } == ["first", "second", "third"])
  }

  @Test
  func `writes before the handshake wait for it and arrive in order`() throws {
    let pair = try pair(.v1_2)
    defer { pair.finish() }
    let first = pair.client.writeAndFlush(ByteBuffer(string: "one "))
    let second = pair.client.writeAndFlush(ByteBuffer(string: "two"))
    try pair.pump()
    try first.wait()
    try second.wait()
    #expect(pair.serverSaw.bytes == Array("one two".utf8))
  }

  @Test
  func `TLS 1_3 sends nothing of its own after the handshake`() throws {
    let pair = try pair(.v1_3)
    defer { pair.finish() }
    let hello = try EmbeddedPair.output(pair.client)
    try EmbeddedPair.deliver(hello, to: pair.server, cut: { .max })
    try EmbeddedPair.deliver(try EmbeddedPair.output(pair.server), to: pair.client, cut: { .max })
    try EmbeddedPair.deliver(try EmbeddedPair.output(pair.client), to: pair.server, cut: { .max })
    #expect(pair.serverSaw.handshakes == 1)
    #expect(try EmbeddedPair.output(pair.server).isEmpty)
  }
}

/// A small seeded generator (SplitMix64).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
