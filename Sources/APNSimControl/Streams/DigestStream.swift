import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore

/// One reader of digests: it is told at most once in each interval what happened, in numbers, and sleeps while nothing does.
struct DigestStream: Sendable {
  let space: Space
  let interval: Duration
  /// The query to match; nil for everything.
  let query: CompiledQuery?
  /// The sequence number after which it begins; nil for now.
  let after: UInt64?
  /// The name of this process, which no other one has.
  let process: String
  let ending: EndSignal
  let watch: StreamWatch
  /// True while the reader is connected.
  let isRead: @Sendable () -> Bool

  /// The moment from which all readers of the process count intervals, so that they ask at the same time.
  private static let beginning = ContinuousClock.now

  /// - Parameter send: sends bytes and returns when they have been accepted.
  func run(_ send: (ByteBuffer) async throws -> Void) async throws {
    watch.start()
    defer { watch.stop() }
    func write(_ bytes: ByteBuffer) async throws {
      watch.begin()
      defer { watch.end() }
      try await send(bytes)
    }
    let start = space.simulator.digestStart
    // A sequence number that was not given out yet is one of an earlier process.
    var seq = after.flatMap { $0 <= start.seq ? $0 : nil } ?? start.seq
    var greeting = ServerSentEvent.greeting
    ServerSentEvent.append("hello", seq: seq, hello(start, seq), to: &greeting)
    try await write(ByteBuffer(bytes: greeting))
    while !Task.isCancelled {
      guard await space.simulator.hasMore(from: seq + 1, until: ending) else {
        try await write(ByteBuffer(string: ServerSentEvent.stillHere))
        guard isRead() else { return }
        continue
      }
      let beat = Int((ContinuousClock.now - Self.beginning) / interval) + 1
      try await Task.sleep(until: Self.beginning + interval * beat)
      guard isRead() else { return }
      let text = await digest(after: seq, beat)
      seq = text.seq
      if let json = text.json {
        var bytes: [UInt8] = []
        ServerSentEvent.append("digest", seq: seq, json, to: &bytes)
        try await write(ByteBuffer(bytes: bytes))
      }
      if ending.hasFired { return }
    }
  }

  private func digest(after seq: UInt64, _ beat: Int) async -> DigestBoard.Text {
    guard let query else { return space.digests.all(after: seq, beat, of: interval) }
    return await space.digests.matching(query, after: seq)
  }

  private func hello(_ start: Simulator.DigestStart, _ seq: UInt64) -> [UInt8] {
    var writer = JSONWriter()
    DigestHello(seq: seq, process: process, kept: start.kept).write(to: &writer)
    return writer.bytes
  }
}
