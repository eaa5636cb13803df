import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `Versions of TLS` {
  @Test(arguments: TLSVersion.allCases)
  func `an error arrives whole over every version`(version: TLSVersion) async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.tls.maximum = .v1_3
    } _: { test in
      let provider = try await test.gateway { options in
        options.minimum = version
        options.maximum = version
        options.cipherList = "ALL:@SECLEVEL=0"
      }
      try await provider.pauseReading()
      try await provider.send(Frames.many(500, bad: 10))
      try await provider.resumeReading()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 10) && received.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed")
      #expect(
        test.journal.events("connectionOpened").first?.contains("\"version\":\"\(version.rawValue)\"") == true
      )
    }
  }

  @Test func `TLS 1.3 is not spoken by default, so that a refusal stays in the handshake`() async throws {
    try await TestServer.run { test in
      let provider = try await test.gateway { $0.maximum = .v1_3 }
      await provider.close()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("connectionOpened").first?.contains("\"version\":\"1.2\"") == true)
      await #expect(throws: TLSError.self) {
        try await test.gateway {
          $0.minimum = .v1_3
          $0.maximum = .v1_3
        }
      }
    }
  }
}
