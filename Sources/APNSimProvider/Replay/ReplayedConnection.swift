import APNSimCapture
import APNSimCore
import NIOCore

/// A captured connection while it is replayed: writes, and receives the answers.
///
/// One task owns the TLS connection and puts what comes into the inbox.
final class ReplayedConnection {
  let captured: CapturedConnection
  /// The bytes that came back so far.
  private(set) var received: [UInt8] = []
  /// The service ended its direction, or the connection broke.
  private(set) var hasEnded = false
  private(set) var failure: String?
  /// The bytes that came back in the capture so far.
  private(set) var expected: [UInt8] = []
  /// Bytes gathered for the next write.
  var pending: [UInt8] = []
  /// The number of the original read that the pending bytes belong to.
  var pendingRead: UInt32 = 0
  /// The answers, recorded and replayed; the bytes once the connection is closed.
  var sides: ConnectionSides
  /// Closed on our side: our direction has ended.
  private(set) var hasFinished = false
  /// True after an answer that did not come in time; later ones are waited for less.
  var isLate = false
  private(set) var bytesSent = 0
  /// The bytes that the service no longer took.
  private(set) var bytesUnsent = 0
  /// The value of `bytesSent` when the service ended its direction.
  private(set) var bytesSentAtEnd = 0
  /// The time of the last write.
  private(set) var lastFlush: ContinuousClock.Instant

  private enum Event: Sendable {
    case bytes([UInt8])
    case ended(String?)
  }

  private let connection: ProviderConnection
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private let inbox = ReplayInbox<Event>()
  /// Receives the number of bytes that the capture has so far; only a little more is read.
  private let permits: AsyncStream<Int>.Continuation
  private let release: AsyncStream<Void>.Continuation
  private let owner: Task<Void, Never>

  /// The bytes that are read beyond those of the capture, so that a difference can be shown.
  private static let margin = 64 * 1024

  /// Connects.
  /// - Throws: `ProviderFailure` when the service cannot be reached or refuses us.
  init(
    _ captured: CapturedConnection,
    _ sides: ConnectionSides,
    to target: ProviderTarget,
    timeout: TimeAmount
  ) async throws {
    self.captured = captured
    self.sides = sides
    connection = try await ProviderConnection.open(target, timeout: timeout)
    lastFlush = .now
    let (permitted, permits) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let (writers, writer) = AsyncStream.makeStream(of: NIOAsyncChannelOutboundWriter<ByteBuffer>.self)
    self.permits = permits
    self.release = release
    let channel = connection.channel
    owner = Self.owner(of: channel, writer, inbox.put, permitted, released)
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
    _ feed: @escaping @Sendable (Event) -> Void,
    _ permitted: AsyncStream<Int>,
    _ released: AsyncStream<Void>
  ) -> Task<Void, Never> {
    Task { await own(channel, writer, feed, permitted, released) }
  }

  /// Owns the open connection until it is released, and forwards its bytes.
  private static func own(
    _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
    _ writer: AsyncStream<NIOAsyncChannelOutboundWriter<ByteBuffer>>.Continuation,
    _ feed: @escaping @Sendable (Event) -> Void,
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
    _ feed: @escaping @Sendable (Event) -> Void
  ) async {
    var count = 0
    var permit = 0
    var permits = permitted.makeAsyncIterator()
    do {
      for try await buffer in inbound {
        count += buffer.readableBytes
        feed(.bytes(Array(buffer.readableBytesView)))
        while count > permit + margin {
          guard let next = await permits.next() else { return }
          permit = next
        }
      }
      feed(.ended(nil))
    } catch {
      feed(.ended(ProviderFailure.words(error)))
    }
  }

  /// Writes the pending bytes. A service that takes nothing for that long is given up.
  func flush(within patience: Duration) async {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    await hear { _ in false }
    lastFlush = .now
    // A service that has ended its own direction may still read.
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

  /// Adds the next bytes of the capture's answer.
  func expect(_ bytes: [UInt8]) {
    expected += bytes
    if !bytes.isEmpty { sides.addRecordedAnswer() }
    permits.yield(expected.count)
  }

  /// True after a gap of the capture: the next frame's start is unknown, and nothing more is sent.
  var isBroken: Bool { sides.gaps.contains(.input) }

  /// Both sides, with all that came back.
  var wholeSides: ConnectionSides {
    var sides = sides
    sides.answers = AnswerComparison(
      recorded: expected,
      replayed: received,
      isFeedback: captured.listener == .feedback,
      isOverflowing: isOverflowing
    )
    return sides
  }

  /// True once so much more has come than in the capture that the rest is not read.
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

  /// Releases the connection.
  func close() async {
    release.finish()
    permits.finish()
    try? await connection.channel.channel.close()
    await owner.value
  }

  private func hear(_ patience: Duration? = nil, until isEnough: (ReplayedConnection) -> Bool) async {
    await inbox.hear(patience, until: { isEnough(self) }, take: take)
  }

  private func take(_ event: Event) {
    switch event {
    case .bytes(let bytes): received += bytes
    case .ended(let reason):
      if !hasEnded { bytesSentAtEnd = bytesSent }
      hasEnded = true
      failure = failure ?? reason
    }
  }
}
