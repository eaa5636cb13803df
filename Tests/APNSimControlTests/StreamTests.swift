import APNSimControl
import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `A stream that is not read` {
  @Test func `is cut off once so much has happened, and the others go on`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      let stalled = try await test.http.open(.GET, "/api/v1/events", pauses: true)
      for _ in 0..<20_000 where test.control.openStreams == 0 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(test.control.openStreams == 1)
      let payload = #"{"aps":{},"x":"\#(String(repeating: "x", count: 180))"}"#
      let batch = (UInt32(1)...500).flatMap { TestControl.frame($0, payload) }
      // Until more has happened than any buffer between the two holds, however long the reader took to fill them.
      for _ in 0..<20_000 where test.control.openStreams > 0 {
        provider.send(batch)
        await Task.yield()
      }
      #expect(test.control.openStreams == 0)
      #expect(try await test.http(.GET, "/readyz").status == 200)
      try? await stalled.channel.close().get()
    }
  }
}
