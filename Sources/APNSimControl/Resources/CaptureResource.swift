internal import APNSimCore
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /capture`: the journal so far, as `--record` would have written it from here on.
enum CaptureResource {
  static let routes = [Route(.get, "/capture", answer: capture)]

  private static func capture(_ call: Call) async throws -> Response {
    let journal = call.simulator.readJournalSoFar()
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/x-ndjson",
        .contentDisposition: "attachment; filename=\"capture.jsonl\"",
      ],
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(bytes: journal.header))
        var next: UInt64 = 0
        while next < journal.end {
          let slice = journal.reader.next()
          if !slice.lines.isEmpty { try await writer.write(ByteBuffer(bytes: slice.lines)) }
          next = slice.next
          if slice.isLast { break }
        }
        try await writer.finish(nil)
      }
    )
  }
}
