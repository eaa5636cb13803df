import APNSimWire
import Foundation
import Testing

@Suite struct `A connection to the control API` {
  private static func head(_ fields: String) -> String {
    "POST /api/v1/faults HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\n\(fields)\r\n\r\n"
  }

  @Test func `a connection to the control API is asked for a body that waits for that`() async throws {
    try await TestControl.run { test in
      let body = #"{"fault":"swallow"}"#
      let answer = try await test.http.raw(
        Self.head("Connection: close\r\nContent-Length: \(body.utf8.count)"),
        then: (after: "100 Continue\r\n\r\n", text: body)
      )
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"), "\(answer)")
    }
  }

  @Test(arguments: [
    ("Content-Length: 99999999", 413), ("Content-Length: 9\r\nContent-Type: text/plain", 415),
    ("Content-Length: 9\r\nOrigin: http://evil.example", 403),
  ])
  func `a connection to the control API is not asked for a body that is refused unread, and ends`(
    _ fields: String,
    _ status: Int
  )
    async throws
  {
    try await TestControl.run { test in
      let answer = try await test.http.raw(Self.head(fields))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.lowercased().contains("connection: close\r\n"), "\(answer)")
    }
  }

  @Test(arguments: [
    "GET /livez HTTP/1.0\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    """
    POST /api/v1/notifications/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 17\r\n\r\n{"timeout":"1ms"}\
    GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n
    """,
  ])
  func `a connection to the control API ends after its last answer`(_ text: String) async throws {
    try await TestControl.run { test in
      let answer = try await test.http.raw(text)
      #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 2, "\(answer)")
      #expect(answer.lowercased().contains("connection: close\r\n"), "\(answer)")
    }
  }

  @Test
  func `a connection to the control API has no chunks for HTTP/1.0, whose answers end with the connection`()
    async throws
  {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      for fields in ["Host: localhost", "Host: localhost\r\nConnection: keep-alive"] {
        let answer = try await test.http.raw("GET /api/v1/capture HTTP/1.0\r\n\(fields)\r\n\r\n")
        let parts = answer.components(separatedBy: "\r\n\r\n")
        #expect(parts[0].hasPrefix("HTTP/1.0 200 OK\r\n") && parts.count == 2, "\(answer)")
        #expect(!parts[0].lowercased().contains("transfer-encoding"), "\(answer)")
        let capture = parts.last ?? ""
        #expect(capture.hasPrefix(#"{"apnsim":"journal""#) && capture.hasSuffix("}\n"), "\(answer)")
      }
    }
  }

  @Test func `a connection to the control API ends after a request that was answered before it ended`()
    async throws
  {
    try await TestControl.run { test in
      let answer = try await test.http.raw(
        "PUT /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        then: (after: "\r\n\r\n", text: "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
      )
      #expect(answer.hasPrefix("HTTP/1.1 404 ") && !answer.contains("HTTP/1.1 200 OK"), "\(answer)")
      #expect(answer.lowercased().contains("connection: close\r\n"), "\(answer)")
    }
  }

  @Test func `a connection to the control API goes on after a wait that was refused`() async throws {
    try await TestControl.run { test in
      let wait = "POST /api/v1/notifications/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n[]"
      let answer = try await test.http.raw(
        wait + "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      )
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("HTTP/1.1 200 OK"), "\(answer)")
    }
  }

  @Test func `a connection to the control API is told as a problem that its header is too large`()
    async throws
  {
    try await TestControl.run { test in
      for (count, size) in [(1200, 50), (1, 90_000)] {
        let fields = (1...count).map { "X-\($0): \(String(repeating: "a", count: size))\r\n" }.joined()
        let answer = try await test.http.raw("GET /livez HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "\(answer)")
        let body = try JSONValue.parse(Array((answer.components(separatedBy: "\r\n\r\n").last ?? "").utf8))
        #expect(body["status"] == .number("431"))
      }
    }
  }
}
