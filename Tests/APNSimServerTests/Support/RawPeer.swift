import NIOCore
import NIOPosix

/// A peer that speaks plain TCP.
struct RawPeer: Sendable {
  private let channel: any Channel

  static func connect(_ port: Int) async throws -> RawPeer {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port).get()
    return RawPeer(channel: channel)
  }

  func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

  /// Returns once the server has closed.
  func readToEnd() async { try? await channel.closeFuture.get() }

  func close() async { try? await channel.close() }
}
