import APNSimTLS
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// One end of a connection in a test: the channel and what it saw, in order.
final class Peer: Sendable {
  let channel: any Channel
  private let observations: AsyncStream<Observation>

  init(_ channel: any Channel, _ stream: AsyncStream<Observation>) {
    self.channel = channel
    observations = stream
  }

  /// The next thing that happened; `nil` after the end of the channel.
  func next() async -> Observation? {
    var iterator = observations.makeAsyncIterator()
    return await iterator.next()
  }

  func send(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  func command(_ command: TLSCommand) async throws {
    try await channel.triggerUserOutboundEvent(command).get()
  }

  // MARK: Expectations

  @discardableResult
  func handshake(
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> (version: TLSVersion?, cipher: String?, peer: PeerCertificate?) {
    guard case .handshake(let version, let cipher, let peer) = try await some(location) else {
      throw unexpected(location)
    }
    return (version, cipher, peer)
  }

  /// The data of as many reads as it takes to get `count` bytes.
  func data(_ count: Int, _ location: SourceLocation = #_sourceLocation) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard case .data(let part) = try await some(location) else { throw unexpected(location) }
      bytes += part
    }
    return bytes
  }

  func failure(_ location: SourceLocation = #_sourceLocation) async throws -> TLSError {
    guard case .failed(let error) = try await some(location) else { throw unexpected(location) }
    return error
  }

  func expectPeerClosedNotify(_ location: SourceLocation = #_sourceLocation) async throws {
    guard case .peerClosedNotify = try await some(location) else { throw unexpected(location) }
  }

  func expectInputClosed(_ location: SourceLocation = #_sourceLocation) async throws {
    guard case .inputClosed = try await some(location) else { throw unexpected(location) }
  }

  func expectInactive(_ location: SourceLocation = #_sourceLocation) async throws {
    guard case .inactive = try await some(location) else { throw unexpected(location) }
  }

  private func some(_ location: SourceLocation) async throws -> Observation {
    guard let observation = await next() else {
      Issue.record("the channel ended", sourceLocation: location)
      throw unexpected(location)
    }
    last.withLock { $0 = "\(observation)" }
    return observation
  }

  private let last = Mutex("")

  private func unexpected(_ location: SourceLocation) -> UnexpectedObservation {
    let text = last.withLock { $0 }
    Issue.record("found instead: \(text)", sourceLocation: location)
    return UnexpectedObservation()
  }
}

struct UnexpectedObservation: Error {}
