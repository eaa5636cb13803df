import APNSimControl
import APNSimServer
import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `The page` {
  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/CPage/assets")
  }

  @Test func `the page has every file of its folder in the program, as it is there`() throws {
    let folder = Self.folder.resolvingSymlinksInPath().path + "/"
    var files: [String: [UInt8]] = [:]
    let found = FileManager.default.enumerator(atPath: folder)
    while let path = found?.nextObject() as? String {
      guard found?.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      files[path] = try Array(Data(contentsOf: URL(fileURLWithPath: folder + path)))
    }
    #expect(Set(files.keys) == Set(PageAssets.all.keys), "scripts/page-assets writes the table anew")
    // Only their names are worth reading where they differ.
    #expect(files.filter { PageAssets.all[$0.key]?.bytes != $0.value }.keys.sorted() == [])
  }

  @Test func `the page is at the root and at the path of each pane, under its policy`() async throws {
    try await TestControl.run { test in
      let paths = [
        "/", "/?query=status:8", "/notifications", "/notifications/n57", "/connections/c3",
        "/devices/bob%20b",
        "/feedback", "/advice", "/faults/r2", "/scenario", "/clock", "/send?from=n1", "/capture",
        "/sandboxes",
        "/sandboxes/s1", "/sandboxes/s1/notifications/n1", "/latest",
      ]
      for path in paths {
        let reply = try await test.http(.GET, path)
        #expect(reply.status == 200, "\(path)")
        #expect(reply.headers["Content-Type"] == ["text/html; charset=utf-8"])
        #expect(reply.text.hasPrefix("<!doctype html>"))
        #expect(reply.text.contains(#"data-page="on""#) && reply.text.contains(#"data-token="no""#))
        #expect(!reply.text.contains("{{"), "\(path)")
        let policy = reply.headers["Content-Security-Policy"].first ?? ""
        for part in [
          "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
        ] {
          #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        #expect(reply.headers["X-Content-Type-Options"] == ["nosniff"])
        #expect(reply.headers["Referrer-Policy"] == ["no-referrer"])
        #expect(reply.headers["Cache-Control"] == ["no-store"])
      }
      let head = try await test.http(.HEAD, "/")
      #expect(head.status == 200 && head.bytes.isEmpty)
    }
  }

  @Test func `the page loads nothing but its own files`() throws {
    for (path, asset) in PageAssets.all {
      let text = String(decoding: asset.bytes, as: UTF8.self)
        .replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains("innerHTML"), "\(path)")
      if path.hasSuffix(".css") { #expect(!text.contains("//"), "\(path)") }
    }
    let shell = String(decoding: try #require(PageAssets.all["index.html"]).bytes, as: UTF8.self)
    for match in shell.matches(of: /(?:src|href)="([^"#]+)"/) {
      let path = String(match.1)
      #expect(path.hasPrefix("/page/") && PageAssets.all[String(path.dropFirst(6))] != nil, "\(path)")
    }
    #expect(!shell.contains("<style") && !shell.contains(" style=") && !shell.contains("<script>"))
  }

  @Test func `the page has each of its files below its folder, with a type and a tag`() async throws {
    try await TestControl.run { test in
      for (path, asset) in PageAssets.all where path != "index.html" {
        let reply = try await test.http(.GET, "/page/\(path)")
        #expect(reply.status == 200 && reply.bytes == asset.bytes, "\(path)")
        #expect(reply.headers["Content-Type"] == [asset.type])
        #expect(asset.type != "application/octet-stream", "\(path)")
        #expect(reply.headers["Cache-Control"] == ["no-cache"])
        #expect(reply.headers["Content-Security-Policy"].count == 1)
        #expect(reply.headers["X-Content-Type-Options"] == ["nosniff"])
      }
      let first = try await test.http(.GET, "/page/page.js")
      let tag = try #require(first.headers["ETag"].first)
      let again = try await test.http(.GET, "/page/page.js", headers: [("If-None-Match", tag)])
      #expect(again.status == 304 && again.bytes.isEmpty)
      let other = try await test.http(.GET, "/page/page.js", headers: [("If-None-Match", "\"other\"")])
      #expect(other.status == 200)
    }
  }

  @Test(arguments: [
    "/nowhere", "/page/nothing.js", "/page/", "/page/../page.js", "/page/index.html", "/api/notifications",
  ])
  func `the page is at no other path: those are problems as before`(_ path: String) async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, path)
      #expect(
        reply.status == 404 && reply.headers["Content-Type"] == ["application/problem+json"],
        "\(reply.text)"
      )
    }
  }

  @Test func `the page is only for looking at, and for no other site`() async throws {
    try await TestControl.run { test in
      let posted = try await test.http(.POST, "/")
      #expect(posted.status == 405 && posted.headers["Allow"] == ["GET, HEAD"])
      for path in ["/", "/page/page.js", "/notifications/n1"] {
        #expect(try await test.http(.GET, path, headers: [("Host", "evil.example")]).status == 403)
        #expect(try await test.http(.GET, path, headers: [("Origin", "http://evil.example")]).status == 403)
      }
    }
  }

  @Test func `the page needs no token and has nothing that one protects`() async throws {
    try await TestControl.run(token: "secret") { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"private words"}}"#))
      for path in ["/", "/notifications", "/notifications/n1"] {
        let reply = try await test.http(.GET, path)
        #expect(reply.status == 200 && reply.text.contains(#"data-token="yes""#))
        #expect(!reply.text.contains("private words") && !reply.text.contains("com.example.app"))
        #expect(!reply.text.contains("secret"))
      }
      #expect(try await test.http(.GET, "/page/page.js").status == 200)
      #expect(try await test.http(.GET, "/api/v1/notifications").status == 401)
    }
  }

  @Test func `the page can leave its steering out, or be off`() async throws {
    try await TestControl.run(page: .readOnly) { test in
      let page = try await test.http(.GET, "/")
      #expect(page.text.contains(#"data-page="read-only""#))
      let reset = try await test.http(.POST, "/api/v1/reset")
      #expect(reset.status == 204)
    }
    try await TestControl.run(page: .off) { test in
      for path in ["/", "/notifications/n1", "/page/page.js"] {
        let reply = try await test.http(.GET, path)
        #expect(reply.status == 404 && reply.headers["Content-Type"] == ["application/problem+json"])
      }
      #expect(try await test.http(.GET, "/api/v1/clock").status == 200)
    }
  }

  @Test func `the page can be read without JavaScript: the newest hundred, a filter, and one of them`()
    async throws
  {
    try await TestControl.run { test in
      let provider = try test.provider()
      for number in 1...150 {
        provider.send(TestControl.frame(UInt32(number), #"{"aps":{"alert":"order \#(number)."}}"#))
      }
      let list = try await test.http(.GET, "/").text
      #expect(list.contains("order 150.") && list.contains("order 51.") && !list.contains("order 50."))
      #expect(list.contains(#"<a href="/notifications/n150">"#) && list.contains("Delivered"))
      let first = try #require(list.range(of: "order 150.")),
        second = try #require(list.range(of: "order 149."))
      #expect(first.lowerBound < second.lowerBound)
      let filtered = try await test.http(.GET, "/?query=alert~%22order+12.%22").text
      #expect(filtered.contains("order 12.") && !filtered.contains("order 13."))
      #expect(filtered.contains("value=\"alert~&quot;order 12.&quot;\""))
      let wrong = try await test.http(.GET, "/?query=nothing:1").text
      #expect(wrong.contains("unknown field &quot;nothing&quot;"))
      let one = try await test.http(.GET, "/notifications/n7").text
      #expect(
        one.contains("<h1>n7: Delivered</h1>") && one.contains("order 7.") && one.contains("device token")
      )
      #expect(
        try await test.http(.GET, "/notifications/n700").text.contains("There is no notification n700.")
      )
    }
  }

  @Test func `the page shows strangers' text as text without JavaScript, too`() async throws {
    try await TestControl.run { test in
      let evil = #"</noscript><script>alert(1)</script> ' \" & \u001b[31m \u202e x"#
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"\#(evil)"}}"#))
      for path in ["/", "/notifications/n1", "/?query=%3C%2Fnoscript%3E%3Cscript%3E"] {
        let text = try await test.http(.GET, path).text
        #expect(text.components(separatedBy: "<script").count == 2, "\(path)")
        #expect(text.components(separatedBy: "</noscript>").count == 2, "\(path)")
        #expect(!text.unicodeScalars.contains("\u{202E}") && !text.unicodeScalars.contains("\u{1B}"))
      }
      let list = try await test.http(.GET, "/").text
      #expect(list.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && list.contains("⟨U+202E⟩"))
    }
  }
}
