import APNSimCapture
import APNSimCore
import NIOCore
import NIOHTTP1

/// `GET /capture`: the journal so far, in the form that `--record` writes, redacted if the server's recordings are or
/// the request asks for it; with `from`, from that event on.
enum CaptureResource {
  static let routes = [Route(.GET, "/capture", query: ["from", "redact"], answer: capture)]

  private static func capture(_ call: Call) async throws -> Response {
    let asked = try call.query.value("redact", "true or false") { ["true": true, "false": false][$0] }
    let redactor = call.services.redaction.redactor(asked)
    let first = try call.query.value("from", "the number of an event, from 1") { UInt64($0) }
    let journal = call.simulator.readJournalSoFar(from: first)
    return Response(
      status: .ok,
      headers: [
        "Content-Type": "application/x-ndjson",
        "Content-Disposition": "attachment; filename=\"capture.jsonl\"",
      ],
      body: .pieces(length: nil) { send in
        try await send(lines(journal.header, redactor))
        var next: UInt64 = 0
        while next < journal.end {
          let slice = journal.reader.next()
          if !slice.lines.isEmpty { try await send(lines(slice.lines, redactor)) }
          next = slice.next
          if slice.isLast { break }
        }
        if let redactor { try await send(ByteBuffer(bytes: redactor.finish())) }
      }
    )
  }

  /// Redacts whole lines; a redactor keeps those that wait for the rest of a frame.
  private static func lines(_ lines: [UInt8], _ redactor: JournalRedactor?) -> ByteBuffer {
    ByteBuffer(bytes: redactor.map { redactor in lines.withUnsafeBytes { redactor.redact($0) } } ?? lines)
  }
}
