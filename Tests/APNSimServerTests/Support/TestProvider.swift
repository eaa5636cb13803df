import APNSimTLS
import Foundation
import NIOCore
import NIOPosix
import NIOTLS
import Synchronization

/// A provider in a test: one TLS connection, what comes back and how it ends.
final class TestProvider: Sendable {
  /// The output that a provider has received until its connection's end.
  struct Received: Sendable {
    var bytes: [UInt8] = []
    var sawCloseNotify = false
    var error: String?
  }

  let channel: any Channel
  let spy: RecordSpy.Log
  private let reports: AsyncStream<ProviderReport>

  private init(_ channel: any Channel, _ spy: RecordSpy.Log, _ reports: AsyncStream<ProviderReport>) {
    self.channel = channel
    self.spy = spy
    self.reports = reports
  }

  /// Connects and completes the handshake.
  ///
  /// - Parameter isPaused: nothing is read after the handshake until `resumeReading`.
  /// - Throws: the `TLSError` of a refused one.
  static func connect(
    _ port: Int,
    host: String = "127.0.0.1",
    as identity: TLSIdentity?,
    isPaused: Bool = false,
    tls change: (inout TLSClientOptions) -> Void = { _ in }
  ) async throws -> TestProvider {
    let provider = try await open(port, host: host, as: identity, isPaused: isPaused, tls: change)
    for await report in provider.reports {
      switch report {
      case .handshake: return provider
      case .failed(let error): throw error
      case .broken(let text): throw Broken(reason: text)
      case .data, .closeNotify: continue
      case .inputClosed, .inactive: throw Broken(reason: "closed during the handshake")
      }
    }
    throw Broken(reason: "closed during the handshake")
  }

  private static func open(
    _ port: Int,
    host: String,
    as identity: TLSIdentity?,
    isPaused: Bool,
    tls change: (inout TLSClientOptions) -> Void
  ) async throws -> TestProvider {
    var options = TLSClientOptions(
      identity: identity.map { .memory($0) },
      trust: .authority(caFiles: [try TestPKI.prepared().caFile])
    )
    options.maximum = .v1_2
    // The time-out is the server's: a machine that is busy with other tests must not end a handshake.
    options.handshakeTimeout = .seconds(300)
    change(&options)
    let context = try TLSContext(client: options)
    let (stream, continuation) = AsyncStream.makeStream(of: ProviderReport.self)
    let spy = RecordSpy.Log()
    var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    // The kernel holds only little of what a paused provider does not read.
    if isPaused { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 16_384) }
    let channel =
      try await bootstrap
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let tls = try TLSHandler(context)
          try channel.pipeline.syncOperations.addHandlers([
            RecordSpy(spy), tls, ProviderReporter(continuation, isPaused: isPaused),
          ])
        }
      }
      .connect(host: host, port: port).get()
    return TestProvider(channel, spy, stream)
  }

  // MARK: Doing

  /// Up to 16,384 bytes are one TLS record.
  func send(_ bytes: some Sequence<UInt8> & Sendable) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  func sendWithoutWaiting(_ bytes: [UInt8]) {
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  /// Writes until the other side takes no more; returns how many bytes are on their way, `most` if it never ends.
  func fillThePipe(with bytes: [UInt8], most: Int) async -> Int {
    await fillThePipe(most: most) { bytes }
  }

  /// The same with other bytes each time.
  func fillThePipe(most: Int, _ next: () -> [UInt8]) async -> Int {
    var written = 0
    // Nothing moves for a while when the pipe is full; a busy machine is given its time.
    var patience = 50
    while written < most, patience > 0 {
      if channel.isWritable {
        let bytes = next()
        sendWithoutWaiting(bytes)
        written += bytes.count
        patience = 50
      } else {
        patience -= 1
      }
      try? await channel.eventLoop.scheduleTask(in: .milliseconds(channel.isWritable ? 0 : 2)) {}
        .futureResult.get()
    }
    return written
  }

  /// Each piece as a TLS record of its own; returns when the last is with the kernel.
  func send(pieces: [ArraySlice<UInt8>]) async throws {
    for piece in pieces.dropLast() { channel.write(ByteBuffer(bytes: piece), promise: nil) }
    if let last = pieces.last { try await channel.writeAndFlush(ByteBuffer(bytes: last)) }
  }

  /// close_notify and FIN, unless the server has waited for them in vain; what it has sent is read.
  func finish() async throws {
    do {
      try await channel.close(mode: .output)
    } catch let error as IOError where error.errnoCode == ENOTCONN {}
  }

  /// A bare FIN, as from `shutdown(SHUT_WR)`.
  func finishTCP() async throws {
    try await channel.triggerUserOutboundEvent(TLSCommand.omitCloseNotify).get()
    try await channel.close(mode: .output)
  }

  func close() async { try? await channel.close() }

  func pauseReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

  func resumeReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

  // MARK: Seeing

  /// Everything until the server's end of output, or the connection's.
  func readToEnd() async -> Received {
    var received = Received()
    for await report in reports {
      switch report {
      case .data(let bytes): received.bytes += bytes
      case .closeNotify: received.sawCloseNotify = true
      case .failed(let error): received.error = "\(error)"
      case .broken(let text): received.error = text
      case .inputClosed, .inactive: return received
      case .handshake: continue
      }
    }
    return received
  }

  /// Reads until so many bytes have come; fewer when the connection ends before.
  func read(_ count: Int) async -> [UInt8] {
    var bytes: [UInt8] = []
    for await report in reports {
      switch report {
      case .data(let more): bytes += more
      case .inputClosed, .inactive: return bytes
      default: continue
      }
      if bytes.count >= count { break }
    }
    return bytes
  }

  /// Reads to the end, closes, and waits until the server has forgotten the connection.
  func readToEndAndClose() async -> Received {
    let received = await readToEnd()
    await close()
    return received
  }

  struct Broken: Error { var reason: String }
}
