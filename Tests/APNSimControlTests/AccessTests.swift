import APNSimControl
import APNSimServer
import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `Access to the control API` {
  @Test func `a page of another site is refused, whatever name it has for us`() async throws {
    try await TestControl.run { test in
      let path = "/api/v1/reset"
      let plain = try await test.http(.POST, path)
      #expect(plain.status == 204)
      #expect(try await test.http(.POST, path, headers: [("Origin", "http://evil.example")]).status == 403)
      #expect(try await test.http(.POST, path, headers: [("Host", "evil.example")]).status == 403)
      #expect(try await test.http(.POST, path, headers: [("Sec-Fetch-Site", "cross-site")]).status == 403)
      let ours = "http://127.0.0.1:\(test.http.port)"
      #expect(try await test.http(.POST, path, headers: [("Origin", ours)]).status == 204)
      #expect(try await test.http(.POST, path, headers: [("Host", "localhost:1")]).status == 204)
      for host in ["[::1].evil.com", "127.0.0.1:x@evil", "127.+0.0.1", "localhost:", "[::1]:80:1"] {
        let status = try await test.http(.POST, path, headers: [("Host", host)]).status
        #expect(status == (host == "localhost:" ? 204 : 403), "\(host)")
      }
    }
  }

  @Test
  func `where all addresses are open, a public name that nobody gave the server is refused without a token`()
    async throws
  {
    let foreign = [
      "evil.example", "rebind.evil.example:2199", "1.2.3.4.evil.example", "apnsim.local.evil.example",
    ]
    try await TestControl.run(isOpen: true, serverNames: ["push.example.org"]) { test in
      let ours = [
        "10.0.0.7:2199", "[fd00::7]:2199", "apnsim:2199", "localhost", "push.example.org",
        "Push.Example.Org:1",
        "host.docker.internal:2199", "apnsim.default.svc.cluster.local",
      ]
      for host in ours {
        let status = try await test.http(.POST, "/api/v1/reset", headers: [("Host", host)]).status
        #expect(status == 204, "\(host)")
      }
      for host in foreign {
        let headers = [("Host", host), ("Origin", "http://\(host)")]
        let status = try await test.http(.POST, "/api/v1/reset", headers: headers).status
        #expect(status == 403, "\(host)")
      }
    }
    try await TestControl.run(token: "secret", isOpen: true) { test in
      for host in foreign {
        let headers = [("Host", host), ("Authorization", "Bearer secret")]
        let status = try await test.http(.POST, "/api/v1/reset", headers: headers).status
        #expect(status == 204, "\(host)")
      }
    }
  }

  @Test func `what a page of another site loads by itself is refused, and a link that somebody opens is not`()
    async throws
  {
    try await TestControl.run { test in
      for path in ["/api/v1/notifications", "/api/v1/capture", "/"] {
        for (kind, status) in [("document", 200), ("image", 403), ("iframe", 403), ("empty", 403)] {
          let headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", kind)]
          let found = try await test.http(.GET, path, headers: headers).status
          #expect(found == status, "\(path) \(kind)")
        }
      }
    }
  }

  @Test func `a token is needed where there is one, and for nothing else than health`() async throws {
    try await TestControl.run(token: "secret") { test in
      let refused = try await test.http(.GET, "/api/v1/clock")
      #expect(refused.status == 401)
      #expect(refused.headers["WWW-Authenticate"] == ["Bearer"])
      #expect(
        try await test.http(.GET, "/api/v1/clock", headers: [("Authorization", "Bearer wrong")]).status == 401
      )
      #expect(
        try await test.http(.GET, "/api/v1/clock", headers: [("Authorization", "Bearer secret")]).status
          == 200
      )
      #expect(
        try await test.http(.GET, "/api/v1/clock", headers: [("Authorization", "bearer secret")]).status
          == 200
      )
      #expect(
        try await test.http(.GET, "/api/v1/clock", headers: [("Authorization", "Basic secret")]).status == 401
      )
      #expect(try await test.http(.GET, "/readyz").status == 200)
      #expect(try await test.http(.GET, "/livez").status == 200)
    }
  }

  @Test func `a foreign host or one without the token learns whether it is ready, and nothing more`()
    async throws
  {
    try await TestControl.run(token: "secret") { test in
      let token = ("Authorization", "Bearer secret")
      let known = try await test.http(.GET, "/readyz", headers: [token])
      #expect(known["endpoints"] != nil)
      for headers in [[("Host", "evil.example"), token], [], [("Host", "evil.example")]] {
        let ready = try await test.http(.GET, "/readyz", headers: headers)
        #expect(ready.status == 200 && ready["ok"] == .bool(true) && ready["endpoints"] == nil)
      }
    }
    try await TestControl.run { test in
      let ours = try await test.http(.GET, "/readyz")
      let foreign = try await test.http(.GET, "/readyz", headers: [("Host", "evil.example")])
      #expect(ours["endpoints"] != nil && foreign["endpoints"] == nil)
    }
  }

  @Test func `two hosts are a bad request, and a length beyond any body is refused at once`() async throws {
    try await TestControl.run { test in
      let two = try await test.http.raw(
        "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
      )
      #expect(two.hasPrefix("HTTP/1.1 400 "), "\(two)")
      #expect(two.contains("expected one Host header, found 2"))
      for length in [
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "\t0099999999999999999999",
      ] {
        let long = try await test.http.raw(
          "POST /api/v1/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n"
        )
        #expect(long.hasPrefix("HTTP/1.1 413 ") && long.contains("Request body too large"), "\(long)")
      }
    }
  }

  @Test func `what cannot be answered is a problem`() async throws {
    try await TestControl.run { test in
      let http = test.http
      func problem(_ reply: TestClient.Reply, _ status: Int) {
        #expect(reply.status == status)
        #expect(reply.headers["Content-Type"] == ["application/problem+json"])
        #expect(reply["status"] == .number("\(status)"))
        #expect(reply["detail"]?.stringValue?.isEmpty == false)
      }
      problem(try await http(.GET, "/nowhere"), 404)
      problem(try await http(.GET, "/api/v1/sandboxes/s9/clock"), 404)
      let put = try await http(.PUT, "/api/v1/clock")
      problem(put, 405)
      #expect(put.headers["Allow"] == ["GET, HEAD"])
      problem(try await http(.POST, "/api/v1/faults", "{}", type: "text/plain"), 415)
      problem(try await http(.POST, "/api/v1/faults", "{}", type: ""), 415)
      problem(try await http(.POST, "/api/v1/faults", "{"), 400)
      problem(try await http(.GET, "/api/v1/clock?x=1"), 400)
      let large = "\"" + String(repeating: "a", count: 2 << 20) + "\""
      problem(try await http(.POST, "/api/v1/faults", large), 413)
      let nth = try await http(.POST, "/api/v1/faults", #"{"when":{"nht":3},"fault":"swallow"}"#)
      problem(nth, 400)
      #expect(nth["pointer"] == .string("/when/nht"))
      #expect(nth["hint"] == .string(#"did you mean "nth"?"#))
    }
  }

  @Test(arguments: [
    "BREW /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", "GARBAGE\r\n\r\n", "GET /livez HTTP/7.9\r\n\r\n",
    "GET /\u{1} HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /livez HTTP/1.1\r\nHost localhost\r\n\r\n",
    "POST /api/v1/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n",
  ])
  func `what is no HTTP is a problem as well, and the connection ends`(_ text: String) async throws {
    try await TestControl.run { test in
      let answer = try await test.http.raw(text)
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
      #expect(answer.lowercased().contains("content-type: application/problem+json\r\n"), "\(answer)")
      let body = try JSONValue.parse(Array((answer.components(separatedBy: "\r\n\r\n").last ?? "").utf8))
      #expect(body["status"] == .number("400"))
      if text.hasPrefix("BREW") { #expect(body["detail"]?.stringValue?.contains("unknown method") == true) }
      #expect(try await test.http(.GET, "/livez").status == 200)
    }
  }
}
