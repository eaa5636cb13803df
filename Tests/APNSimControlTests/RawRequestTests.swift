import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import APNSimControl

@Suite struct `Answers byte for byte` {
  private static let header = """
    HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 25\r\nCache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\nDate: D\r\nConnection: close\r\n\r\n
    """

  /// Asks on a connection that ends with the answer.
  private func ask(_ method: String, _ path: String, _ test: TestControl) async throws -> String {
    let answer = try await test.http.raw(
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    let date = /Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/
    return answer.replacing(date, with: "Date: D")
  }

  @Test func `An answer has its type and length, and a date`() async throws {
    try await TestControl.run { test in
      let answer = try await ask("GET", "/livez", test)
      #expect(answer == Self.header + "{\"ok\":true,\"missing\":[]}\n")
    }
  }

  @Test func `An answer to HEAD is the header of that to GET`() async throws {
    try await TestControl.run { test in
      let answer = try await ask("HEAD", "/livez", test)
      #expect(answer == Self.header)
    }
  }

  @Test func `An answer without content has neither type nor length`() async throws {
    try await TestControl.run { test in
      let expected = """
        HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nDate: D\r\n\
        Connection: close\r\n\r\n
        """
      let answer = try await ask("POST", "/api/v1/reset", test)
      #expect(answer == expected)
    }
  }

  @Test func `A problem has the headers of its status first`() async throws {
    try await TestControl.run { test in
      let expected = """
        HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Type: application/problem+json\r\n\
        Content-Length: 103\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nDate: D\r\n\
        Connection: close\r\n\r\n\
        {"type":"about:blank","title":"Method not allowed","status":405,"detail":"PUT is not one of GET, HEAD"}
        """
      let answer = try await ask("PUT", "/api/v1/clock", test)
      #expect(answer == expected)
    }
  }

  @Test func `An answer of unknown length comes in chunks, and has length 0 for HEAD`() async throws {
    try await TestControl.run { test in
      let expected = """
        HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\
        Content-Disposition: attachment; filename="capture.jsonl"\r\nCache-Control: no-store\r\n\
        X-Content-Type-Options: nosniff\r\n
        """
      let answer = try await ask("GET", "/api/v1/capture", test)
      let end = "Date: D\r\nConnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
      #expect(answer.hasPrefix(expected + end) && answer.hasSuffix("}\n\r\n0\r\n\r\n"), "\(answer)")
      let head = try await ask("HEAD", "/api/v1/capture", test)
      #expect(head == expected + "Content-Length: 0\r\nDate: D\r\nConnection: close\r\n\r\n")
    }
  }
}

@Suite struct `Requests on one connection` {
  private static func get(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
  }

  private static func post(_ path: String, _ body: String, chunked: Bool = false) -> String {
    let (size, length) = (String(body.utf8.count, radix: 16), body.utf8.count)
    return "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
      + (chunked
        ? "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
        : "Content-Length: \(length)\r\n\r\n\(body)")
  }

  private static func statuses(_ answers: String) -> [Int] {
    answers.matches(of: /HTTP\/1\.1 (\d{3})\b/).compactMap { Int($0.1) }
  }

  @Test func `requests that come at once are answered in their order, and none after one that closes`()
    async throws
  {
    try await TestControl.run { test in
      let answers = try await test.http.raw(
        Self.get("/livez") + Self.get("/nowhere") + Self.post("/api/v1/faults", #"{"fault":"swallow"}"#)
          + Self.post("/api/v1/reset", "") + Self.get("/api/v1/faults", "Connection: close\r\n")
          + Self.get("/livez")
      )
      #expect(Self.statuses(answers) == [200, 404, 201, 204, 200], "\(answers)")
      #expect(answers.hasSuffix("{\"faults\":[],\"state\":null}\n"), "\(answers)")
    }
  }

  @Test func `requests are answered though their sender has closed its side`() async throws {
    try await TestControl.run { test in
      let requests = Self.get("/livez") + Self.get("/api/v1/openapi.json") + Self.get("/nowhere")
      let answers = try await test.http.raw(requests, ends: true)
      #expect(Self.statuses(answers) == [200, 200, 404])
      #expect(answers.contains(String(decoding: OpenAPIDocument.bytes, as: UTF8.self)))
    }
  }

  @Test(arguments: [
    ("GET /livez HT", "expected HTTP/1.1, found something else"),
    ("GET /livez HTTP/1.1\r\nHost: loc", "expected HTTP/1.1, found something else"),
    (
      "POST /api/v1/faults HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
      "the body is incomplete"
    ),
    (
      "POST /api/v1/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", "the body is incomplete"
    ),
  ])
  func `A request whose sender stops in its middle is a problem`(_ text: String, _ detail: String)
    async throws
  {
    try await TestControl.run { test in
      let answer = try await test.http.raw(text, ends: true)
      #expect(Self.statuses(answer) == [400] && answer.contains(detail), "\(answer)")
    }
  }

  @Test func `A body that no route reads is passed over`() async throws {
    try await TestControl.run { test in
      let answers = try await test.http.raw(
        Self.post("/nowhere", "hello") + Self.get("/livez", "Content-Length: 5\r\n") + "hello"
          + Self.post("/nowhere", String(repeating: "x", count: 1 << 20))
          + Self.get("/livez", "Connection: close\r\n")
      )
      #expect(Self.statuses(answers).first == 404 && Self.statuses(answers).contains(200), "\(answers)")
    }
  }

  @Test(arguments: [true, false])
  func `A body may have a mebibyte and no byte more`(chunked: Bool) async throws {
    try await TestControl.run { test in
      let most = String(repeating: "x", count: 1 << 20)
      let end = Self.get("/livez", "Connection: close\r\n")
      let fits = try await test.http.raw(Self.post("/api/v1/faults", most, chunked: chunked) + end)
      #expect(Self.statuses(fits) == [400, 200] && fits.contains("expected a value, found 'x'"), "\(fits)")
      let more = try await test.http.raw(Self.post("/api/v1/faults", most + "x", chunked: chunked) + end)
      #expect(Self.statuses(more).first == 413 && more.contains("expected at most 1048576 bytes"), "\(more)")
    }
  }

  @Test func `what is no request after a good one is a problem, and the end`() async throws {
    try await TestControl.run { test in
      let answers = try await test.http.raw(Self.get("/livez") + "GARBAGE\r\n\r\n" + Self.get("/livez"))
      #expect(Self.statuses(answers) == [200, 400], "\(answers)")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A connection on which nothing is asked ends with the server, and at once`() async throws {
    try await TestControl.run { test in
      let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: test.http.port).get()
      let stream = try await test.http.open(.GET, "/livez")
      for await _ in stream.parts {}
      await test.control.stop()
      try await silent.closeFuture.get()
      try await stream.channel.closeFuture.get()
    }
  }
}

@Suite struct `The header of a request` {
  private static func request(_ target: String, _ headers: HTTPHeaders = [:]) -> HTTPRequest {
    HTTPRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers))
  }

  @Test(arguments: [
    ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a?", "/a", ""), ("/a?b=c?d", "/a", "b=c?d"),
    ("/a?b#c", "/a", "b"), ("/a#b", "/a#b", nil), ("//a", "//a", nil), ("/a://b", "/a://b", nil),
    ("*", "*", nil), ("http://localhost", "/", nil), ("http://localhost:1?a=b", "/", "a=b"),
    ("http://[::1]:9/a?b", "/a", "b"), ("http://me:x@localhost/a#b", "/a", nil), ("foo://x/a?b#c", "/a", "b"),
  ])
  func `the target's path and query are found in each of its forms`(
    _ target: String,
    _ path: String,
    _ query: String?
  ) {
    let request = Self.request(target)
    #expect(request.path == path && request.query == query)
  }

  @Test func `A field that comes twice is one with a comma, and white space around it does not count`() {
    let request = Self.request("/", ["Host": " a\t", "Origin": "b", "X": " c  ", "x": "d", "Empty": ""])
    #expect(request.host == "a" && request[header: "Origin"] == "b" && request[header: "X"] == "c, d")
    #expect(request[header: "Empty"] == "" && request[header: "Y"] == nil && Self.request("/").host == "")
  }
}

@Suite struct `The date of an answer` {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
  ])
  func `A date is written as in RFC 9110`(_ seconds: Int64, _ text: String) {
    #expect(HTTPDate.text(seconds) == text)
  }
}
