import APNSimTLS
import APNSimTestSupport
import Testing

@Suite(.mustNotHang)
struct EchoTests {
  @Test(arguments: TLSVersion.allCases)
  func `mutual TLS echoes in every version`(version: TLSVersion) async throws {
    let server = try await TestServer.start(
      try Contexts.server {
        $0.minimum = version
        $0.maximum = version
      }
    )
    let client = try await server.connect(try Contexts.client { $0.maximum = .v1_3 }, serverName: "127.0.0.1")
    #expect(try await client.handshake().version == version)
    let accepted = try await server.accept()
    let seen = try await accepted.handshake()
    #expect(seen.version == version)
    #expect(seen.cipher != nil)
    #expect(seen.peer?.userID == "com.example.app")
    let message = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try await client.send(message)
    #expect(try await client.data(message.count) == message)
  }
}
