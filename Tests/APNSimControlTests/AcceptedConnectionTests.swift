import APNSimTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import APNSimControl

@Suite(.mustNotHang) struct `An accepted connection` {
  /// A channel, and a connection made of it.
  private func connection() async throws -> (channel: NIOAsyncTestingChannel, AcceptedConnection) {
    let channel = NIOAsyncTestingChannel()
    _ = try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
    let parts = try await channel.testingEventLoop.executeInContext {
      try ControlConnection.Parts(wrappingChannelSynchronously: channel)
    }
    return (channel, AcceptedConnection(parts))
  }

  @Test func `a connection that nobody took is closed, and the process lives on`() async throws {
    let channel = try await connection().channel
    try await channel.closeFuture.get()
    #expect(!channel.isActive)
  }

  @Test func `a connection that somebody took stays open for as long as it is used`() async throws {
    var (channel, accepted): (NIOAsyncTestingChannel, AcceptedConnection?) = try await connection()
    let parts = try #require(accepted).take()
    accepted = nil
    try await parts.executeThenClose { _, _ in #expect(channel.isActive) }
    try await channel.closeFuture.get()
  }
}
