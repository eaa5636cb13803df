import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct KeyLogTests {
  @Test(arguments: [TLSVersion.v1_2, .v1_3])
  func `both ends log the same secrets, line by line, for their owner only`(version: TLSVersion) async throws
  {
    let home = try TemporaryDirectory()
    let context = try Contexts.server {
      $0.maximum = version
      $0.keyLogFile = home.file("server.log")
    }
    let server = try await TestServer.start(context)
    for _ in 0..<2 {
      let client = try await server.connect(
        try Contexts.client {
          $0.maximum = version
          $0.keyLogFile = home.file("client.log")
        }
      )
      try await client.handshake()
      try await server.accept().handshake()
    }
    let lines = String(decoding: try home.read("server.log"), as: UTF8.self).split(separator: "\n")
    let same = String(decoding: try home.read("client.log"), as: UTF8.self).split(separator: "\n")
    let prefix = version == .v1_2 ? "CLIENT_RANDOM " : "CLIENT_HANDSHAKE_TRAFFIC_SECRET "
    #expect(lines.filter { $0.hasPrefix(prefix) }.count == 2)
    #expect(Set(lines) == Set(same))
    #expect(try home.mode("server.log") == 0o600)
  }

  @Test
  func `a pipe is written to without waiting for a reader`() async throws {
    let home = try TemporaryDirectory()
    let pipe = home.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let server = try await TestServer.start(try Contexts.server { $0.keyLogFile = pipe })
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let client = try await server.connect(try Contexts.client())
    try await client.handshake()
    try await server.accept().handshake()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("CLIENT_"))
  }

  @Test
  func `a key log that cannot be written is a setup error`() throws {
    #expect {
      try Contexts.server { $0.keyLogFile = "/no/such/directory/keys.log" }
    } throws: {
      ($0 as? TLSSetupError)?.isWriting == true
    }
  }
}
