import APNSimCore
import APNSimHTTP2
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

/// Provider tokens do not reach the disk, whatever they come in: not the journal, not a state and its log, not the log.
@Suite(.mustNotHang) struct `A provider token, wherever a client puts it` {
  private static let start = Timestamp(seconds: 1_780_000_000)
  private static let claims = #"{"iss":"SECRETTEAM","iat":1780000000}"#

  /// The token in the forms that libraries write.
  private static let tokens: [String] = [
    #"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{ "alg" : "ES256", "kid" : "ABC123DEFG" }"#,
    "{\n  \"alg\": \"ES256\",\n  \"kid\": \"ABC123DEFG\"\n}", "{\t\"alg\":\"ES256\"}",
    " {\r\n \"alg\":\"ES256\"}",
  ].map { head in
    [Array(head.utf8), Array(claims.utf8), [UInt8](repeating: 0xAB, count: 64)]
      .map {
        Data($0).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
          "=",
          with: ""
        )
      }
      .joined(separator: ".")
  }

  /// The texts that would give a token away.
  private static let secrets = tokens.flatMap { $0.split(separator: ".").dropFirst().map(String.init) }

  private static let headers = [
    "apns-topic", "apns-collapse-id", "apns-id", "apns-expiration", "user-agent", "cookie", "x-token",
    "proxy-authorization",
  ]

  private static func run(_ body: (TestServer) async throws -> Void) async throws -> (TestServer, [[UInt8]]) {
    var written: [[UInt8]] = []
    var server: TestServer?
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
    } _: { test in
      let log = MemoryLog()
      test.simulator.keep(in: log)
      try await body(test)
      written = log.entries + [test.simulator.writeState().array]
      written += (test.journal.lines + test.log.lines).flatMap { line in
        [Array(line.utf8)] + line.split(separator: "\"").compactMap { Base64.decode($0) }
      }
      server = test
    }
    return (try #require(server), written)
  }

  private static func expectNoSecret(in written: [[UInt8]]) {
    for bytes in written {
      let text = String(decoding: bytes, as: UTF8.self)
      for secret in secrets { #expect(!text.contains(secret), "\(text.prefix(400))") }
    }
  }

  @Test func `in any header, name or path of a request it is not kept`() async throws {
    let (_, written) = try await Self.run { test in
      let requester = try await TestRequester.connect(test)
      for token in Self.tokens {
        for header in Self.headers {
          _ = try await requester.push(
            TestRequester.Request(authorization: "bearer x", headers: [(header, token)])
          )
        }
        let path = "/3/device/\(token)"
        _ = try await requester.push(TestRequester.Request(path: path, authorization: token, headers: []))
        let name = "x-\(token)"
        _ = try await requester.push(TestRequester.Request(authorization: nil, headers: [(name, token)]))
      }
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
    }
    #expect(written.count > Self.tokens.count * Self.headers.count)
    Self.expectNoSecret(in: written)
  }

  @Test(arguments: [false, true])
  func `on the port of the binary interface it is not kept`(isHTTP2: Bool) async throws {
    let (_, written) = try await Self.run { test in
      for token in Self.tokens {
        let provider = try await test.gateway()
        if isHTTP2 {
          let request = TestRequester.Request(authorization: "bearer \(token)")
          try await provider.send(TestRequester.opening + TestRequester.headers(request, on: 1))
        } else {
          let lines = [
            "POST /3/device/abab HTTP/1.1", "host: localhost", "authorization: bearer \(token)", "", "{}",
          ]
          try await provider.send(Array(lines.joined(separator: "\r\n").utf8))
        }
        _ = await provider.readToEndAndClose()
      }
      await test.journal.wait(for: "connectionClosed", count: Self.tokens.count)
    }
    #expect(!written.isEmpty)
    Self.expectNoSecret(in: written)
  }
}
