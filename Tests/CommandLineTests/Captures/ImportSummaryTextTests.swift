import APNSimImport
import Testing

@testable import apnsim

@Suite struct `The text of an import` {
  private static func lines(_ change: (inout ImportSummary) -> Void) -> [String] {
    var summary = ImportSummary()
    change(&summary)
    return ImportSummaryText(summary, output: nil).lines
  }

  @Test func `frames are counted where a connection may have some, requests where one has them`() {
    let requests = Self.lines { ($0.requestConnections, $0.requests, $0.answers) = (1, 3, 3) }
    #expect(requests == ["found     1 connection: 1 HTTP/2", "          3 requests, 3 answers"])
    let both = Self.lines { ($0.requestConnections, $0.gatewayConnections, $0.frames) = (1, 1, 2) }
    #expect(both.contains("          2 frames in 0 bytes, 0 bytes of answers") && both.count == 3)
    #expect(Self.lines { _ in }.contains("          0 frames in 0 bytes, 0 bytes of answers"))
  }

  @Test func `a connection through a proxy is noted with where it goes`() {
    var summary = ImportSummary()
    (summary.streams.proxied, summary.streams.proxiedTo) = (2, "api.push.apple.com:443")
    let notes = ImportSummaryText(summary, output: nil).notes
    #expect(
      notes == [
        "note: 2 connections through a proxy (CONNECT api.push.apple.com:443) left out: the TLS inside is not read"
      ]
    )
  }
}
