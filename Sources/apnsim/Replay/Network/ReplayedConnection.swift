import APNSimScenario
import NIOCore

/// A captured connection while it is played again: writes, and hears what comes back.
///
/// One task owns the TLS connection; what it hears goes through a stream to whoever plays the capture, and so does the
/// end of a wait, so that nothing is heard twice or out of order.
final class ReplayedConnection {
  let captured: CapturedConnection
  let peer: String
  /// What came back so far.
  private(set) var received: [UInt8] = []
  /// The service ended its direction, or the connection broke.
  private(set) var hasEnded = false
  private(set) var failure: String?
  /// What the capture has for it.
  var expected: [UInt8] = []
  /// Written and not sent: what is joined into one write.
  var pending: [UInt8] = []
  /// The read of the original that the pending bytes belong to.
  var pendingRead: UInt32 = 0
  /// A gap of the capture: from here on frames cannot be told, nothing more is sent.
  var isBroken = false
  /// Answers of the original are missing from the capture.
  var isAnswerUnknown = false
  /// An answer did not come in time; others are not waited for as long.
  var isLate = false
  var bytesSent = 0

  private enum Event: Sendable {
    case bytes([UInt8])
    case ended(String?)
    case waited(Int)
  }

  private let connection: ProviderConnection
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private let feed: AsyncStream<Event>.Continuation
  private var events: AsyncStream<Event>.Iterator
  private let release: AsyncStream<Void>.Continuation
  private let owner: Task<Void, Never>
  private var waits = 0

  /// More than this from a service is no answer.
  private static let mostReceived = 64 << 20

  /// Connects.
  /// - Throws: `CommandFailure` when the service cannot be reached or refuses us.
  init(_ captured: CapturedConnection, to target: ProviderTarget, timeout: TimeAmount) async throws {
    self.captured = captured
    connection = try await ProviderConnection.open(target, timeout: timeout)
    peer = target.address
    let (stream, feed) = AsyncStream.makeStream(of: Event.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let (writers, writer) = AsyncStream.makeStream(of: NIOAsyncChannelOutboundWriter<ByteBuffer>.self)
    self.feed = feed
    self.release = release
    events = stream.makeAsyncIterator()
    let channel = connection.channel
    owner = Self.owner(of: channel, writer, feed, released)
    guard let outbound = await writers.first(where: { _ in true }) else {
      throw CommandFailure(.unreachable, "\(target.address): the connection ended at once")
    }
    self.outbound = outbound
  }

  private static func owner(
    of channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
    _ writer: AsyncStream<NIOAsyncChannelOutboundWriter<ByteBuffer>>.Continuation,
    _ feed: AsyncStream<Event>.Continuation,
    _ released: AsyncStream<Void>
  ) -> Task<Void, Never> {
    Task { await own(channel, writer, feed, released) }
  }

  /// Holds the connection open until it is let go, hearing what comes.
  private static func own(
    _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
    _ writer: AsyncStream<NIOAsyncChannelOutboundWriter<ByteBuffer>>.Continuation,
    _ feed: AsyncStream<Event>.Continuation,
    _ released: AsyncStream<Void>
  ) async {
    try? await channel.executeThenClose { inbound, outbound in
      writer.yield(outbound)
      await listen(to: inbound, feed)
      for await _ in released {}
    }
    writer.finish()
  }

  private static func listen(
    to inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
    _ feed: AsyncStream<Event>.Continuation
  ) async {
    var count = 0
    do {
      for try await buffer in inbound {
        count += buffer.readableBytes
        guard count <= mostReceived else { break }
        feed.yield(.bytes(Array(buffer.readableBytesView)))
      }
      feed.yield(.ended(nil))
    } catch {
      feed.yield(.ended(ConnectFailure.words(error)))
    }
  }

  /// Writes what is pending. A service that takes nothing for so long is given up.
  func flush(within patience: Duration) async {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    guard !hasEnded, failure == nil else { return }
    let channel = connection.channel.channel
    let watchdog =
      channel.isWritable
      ? nil
      : Task {
        try await Task.sleep(for: patience)
        try await channel.close()
      }
    do {
      try await outbound.write(ByteBuffer(bytes: bytes))
      bytesSent += bytes.count
    } catch {
      failure = failure ?? ConnectFailure.words(error)
    }
    watchdog?.cancel()
  }

  /// Ends our direction: the service answers what it has and ends its own.
  func finish() { outbound.finish() }

  /// Waits until so many bytes have come or the service has ended.
  /// - Returns: whether they came.
  func wait(forBytes count: Int, within patience: Duration) async -> Bool {
    await hear(patience) { $0.received.count >= count || $0.hasEnded }
    return received.count >= count
  }

  /// Waits until the service has ended its direction.
  /// - Returns: whether it has.
  func waitForEnd(within patience: Duration) async -> Bool {
    await hear(patience) { $0.hasEnded }
    return hasEnded
  }

  /// Lets the connection go.
  func close() async {
    release.finish()
    try? await connection.channel.channel.close()
    await owner.value
  }

  private func hear(_ patience: Duration, until isEnough: (ReplayedConnection) -> Bool) async {
    waits += 1
    let number = waits
    let feed = feed
    let timer = Task {
      try? await Task.sleep(for: patience)
      feed.yield(.waited(number))
    }
    defer { timer.cancel() }
    while !isEnough(self), let event = await events.next() {
      switch event {
      case .bytes(let bytes): received += bytes
      case .ended(let reason):
        hasEnded = true
        failure = failure ?? reason
      case .waited(number): return
      case .waited: continue
      }
    }
  }
}
