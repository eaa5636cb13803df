import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimImport

@Suite struct `Logs that clients write of their requests` {
  private static let texts = [
    (
      ClientLog.nghttp,
      "[  0.012] Connected\n[  0.013] send HEADERS frame <length=40, flags=0x25, stream_id=13>\n"
    ),
    (.go, "2026/06/01 10:00:01 http2: Framer 0xc000100: wrote HEADERS flags=END_HEADERS stream=1 len=90\n"),
    (
      .netty,
      "10:00:01.000 [nio] DEBUG - [id: 0x1, L:/127.0.0.1:1] OUTBOUND HEADERS: streamId=3 headers=[:method: POST]\n"
    ),
    (.node, "HTTP2 4711: Http2Session client: created\n"),
    (
      .charles,
      #"[{"status":"COMPLETE","method":"POST","protocolVersion":"HTTP/2.0","host":"api.push.apple.com"}]"#
    ),
    (.chrome, #"{"constants":{"logEventTypes":{"REQUEST_ALIVE":2}},"events":[]}"#),
  ]

  @Test(arguments: texts)
  func `a client's log is named, and what to save instead`(log: ClientLog, text: String) {
    let failure = #expect(throws: ImportError.self) { try CaptureKind.of(Array(text.utf8), name: "x") }
    #expect(failure?.description.contains("is \(log.rawValue), which is not read") == true, "\(log)")
    #expect(failure?.hints == [ClientLog.hint])
  }

  @Test func `the log that was reported is one of curl`() throws {
    let text = try Fixtures.data("reports/curl-verbose.txt")
    #expect(ClientLog([UInt8](text)[...]) == .curl)
  }

  @Test func `a dump of bytes is no client's log`() throws {
    let names = [
      "follow-hex.txt", "hex-buffer.txt", "hex-mbedtls.txt", "hex-openssl.txt", "hex-scapy.txt",
      "jsse-frame.txt",
    ]
    for name in names {
      #expect(ClientLog([UInt8](try Fixtures.data("reports/\(name)"))[...]) == nil, "\(name)")
    }
  }
}
