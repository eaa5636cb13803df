internal import APNSimCapture
internal import APNSimCore
internal import NIOCore

/// A captured connection while it is played again: writes, and hears what comes back.
///
/// One task owns the TLS connection; what it hears goes through a stream to whoever plays the capture, and so does the
/// end of a wait, so that nothing is heard twice or out of order.
final class ReplayedConnection {
  let captured: CapturedConnection
  /// What came back so far.
  private(set) var received: [UInt8] = []
  /// The service ended its direction, or the connection broke.
  private(set) var hasEnded = false
  private(set) var failure: String?
  /// What the capture has for it.
  private(set) var expected: [UInt8] = []
  /// Written and not sent: what is joined into one write.
  var pending: [UInt8] = []
  /// The read of the original that the pending bytes belong to.
  var pendingRead: UInt32 = 0
  /// A gap of the capture: from here on frames cannot be told, nothing more is sent.
  var isBroken = false
  /// Our direction has ended.
  private(set) var hasFinished = false
  /// Answers of the original are missing from the capture.
  var isAnswerUnknown = false
  /// An answer did not come in time; others are not waited for as long.
  var isLate = false
  private(set) var bytesSent = 0
  /// Those that the service no longer took.
  private(set) var bytesUnsent = 0
  /// How many had been sent when the service was heard to end.
  private(set) var bytesSentAtEnd = 0
  /// When the provider last wrote in the capture, and when the replay did.
  var lastWrite: Timestamp
  private(set) var lastFlush: ContinuousClock.Instant

  private enum Event: Sendable {
    case bytes([UInt8])
    case ended(String?)
    case waited(Int)
  }

  private let connection: ProviderConnection
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private let feed: AsyncStream<Event>.Continuation
  /// Hears how many bytes the capture has: so many and a little more are read.
  private let permits: AsyncStream<Int>.Continuation
  private var events: AsyncStream<Event>.Iterator
  private let release: AsyncStream<Void>.Continuation
  private let owner: Task<Void, Never>
  private var waits = 0

  /// So much more than the capture has is read, for a difference to be shown, and no more.
  private static let margin = 64 * 1024

  /// Connects.
  /// - Parameter time: when the captured provider did.
  /// - Throws: `ProviderFailure` when the service cannot be reached or refuses us.
  init(
    _ captured: CapturedConnection,
    at time: Timestamp,
    to target: ProviderTarget,
    timeout: TimeAmount
  ) async throws {
    self.captured = captured
    lastWrite = time
    connection = try await ProviderConnection.open(target, timeout: timeout)
    lastFlush = .now
    let (stream, feed) = AsyncStream.makeStream(of: Event.self)
    let (permitted, permits) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let (writers, writer) = AsyncStream.makeStream(of: NIOAsyncChannelOutboundWriter<ByteBuffer>.self)
    self.feed = feed
    self.permits = permits
    self.release = release
    events = stream.makeAsyncIterator()
    let channel = connection.channel
    owner = Self.owner(of: channel, writer, feed, permitted, released)
    guard let outbound = await writers.first(where: { _ in true }) else {
      var failure = ProviderFailure(.failed, "\(target.address): the connection ended at once")
      failure.isRefusal = true
      throw failure
    }
    self.outbound = outbound
  }

  private static func owner(
    of channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
    _ writer: AsyncStream<NIOAsyncChannelOutboundWriter<ByteBuffer>>.Continuation,
    _ feed: AsyncStream<Event>.Continuation,
    _ permitted: AsyncStream<Int>,
    _ released: AsyncStream<Void>
  ) -> Task<Void, Never> {
    Task { await own(channel, writer, feed, permitted, released) }
  }

  /// Holds the connection open until it is let go, hearing what comes.
  private static func own(
    _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
    _ writer: AsyncStream<NIOAsyncChannelOutboundWriter<ByteBuffer>>.Continuation,
    _ feed: AsyncStream<Event>.Continuation,
    _ permitted: AsyncStream<Int>,
    _ released: AsyncStream<Void>
  ) async {
    try? await channel.executeThenClose { inbound, outbound in
      writer.yield(outbound)
      await listen(to: inbound, permitted, feed)
      for await _ in released {}
    }
    writer.finish()
  }

  private static func listen(
    to inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
    _ permitted: AsyncStream<Int>,
    _ feed: AsyncStream<Event>.Continuation
  ) async {
    var count = 0
    var permit = 0
    var permits = permitted.makeAsyncIterator()
    do {
      for try await buffer in inbound {
        count += buffer.readableBytes
        feed.yield(.bytes(Array(buffer.readableBytesView)))
        while count > permit + margin {
          guard let next = await permits.next() else { return }
          permit = next
        }
      }
      feed.yield(.ended(nil))
    } catch {
      feed.yield(.ended(ProviderFailure.words(error)))
    }
  }

  /// Writes what is pending. A service that takes nothing for so long is given up.
  func flush(within patience: Duration) async {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    await hear { _ in false }
    lastFlush = .now
    // A service that has ended its own direction may well read on.
    guard failure == nil else {
      bytesUnsent += bytes.count
      return
    }
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
      bytesUnsent += bytes.count
      failure = failure ?? ProviderFailure.words(error)
    }
    watchdog?.cancel()
  }

  /// Ends our direction: the service answers what it has and ends its own.
  func finish() {
    hasFinished = true
    outbound.finish()
  }

  /// Takes what the capture has next for it.
  func expect(_ bytes: [UInt8]) {
    expected += bytes
    permits.yield(expected.count)
  }

  /// So much more has come than the capture has that the rest is not read.
  var isOverflowing: Bool { received.count > expected.count + Self.margin }

  /// Waits until so many bytes have come or the service has ended.
  /// - Returns: whether they came.
  func wait(forBytes count: Int, within patience: Duration) async -> Bool {
    await hear(patience) { $0.received.count >= count || $0.hasEnded }
    return received.count >= count
  }

  /// Waits until the service has ended its direction, or sent more than is read.
  /// - Returns: whether it has ended.
  func waitForEnd(within patience: Duration) async -> Bool {
    await hear(patience) { $0.hasEnded || $0.isOverflowing }
    return hasEnded
  }

  /// Lets the connection go.
  func close() async {
    release.finish()
    permits.finish()
    try? await connection.channel.channel.close()
    await owner.value
  }

  /// Takes what has come, and what comes, until it is enough or the time is over; without a time, what has come.
  private func hear(_ patience: Duration? = nil, until isEnough: (ReplayedConnection) -> Bool) async {
    waits += 1
    let number = waits
    let feed = feed
    let timer = patience.map { patience in
      Task {
        try? await Task.sleep(for: patience)
        feed.yield(.waited(number))
      }
    }
    if timer == nil { feed.yield(.waited(number)) }
    defer { timer?.cancel() }
    while !isEnough(self), let event = await events.next() {
      switch event {
      case .bytes(let bytes): received += bytes
      case .ended(let reason):
        if !hasEnded { bytesSentAtEnd = bytesSent }
        hasEnded = true
        failure = failure ?? reason
      case .waited(number): return
      case .waited: continue
      }
    }
  }
}
