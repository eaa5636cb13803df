import APNSimWire
import NIOCore

/// Takes a running server's journal: what it remembers, then what happens, without a gap between the two.
struct Recording: Sendable {
  let client: ControlClient
  /// After how many events to end; nil never does.
  var count: Int?
  var isFromNow: Bool

  /// A line longer than this is none of the simulator's.
  private static let longestLine = 8 << 20
  private struct Enough: Error {}

  func run(into file: RecordFile) async throws {
    var last: UInt64 = 0
    var missing = 0
    var isFirst = true
    do {
      try await remembered { line, isHeader in
        let seq = isHeader ? nil : Self.seq(of: line)
        if let seq {
          if isFirst, seq > 1, !isFromNow { file.noteBeginning(seq) }
          isFirst = false
          last = max(last, seq)
        }
        if isHeader || !isFromNow { try file.append(line, isEvent: !isHeader) }
        if !isFromNow { try endWhenEnough(file) }
      }
      var feed = EventFeed(client, after: last)
      try await feed.run { event, gap in
        if let gap, gap.count > 0 {
          missing.add(saturating: Int(clamping: gap.count))
          file.noteMissed(missing)
        }
        try file.append(event.data)
        return count.map { file.counts.events < $0 } ?? true
      }
    } catch is Enough {
      return
    }
  }

  private func endWhenEnough(_ file: RecordFile) throws {
    if let count, file.counts.events >= count { throw Enough() }
  }

  /// The recording so far, line by line, the header first.
  private func remembered(_ each: ([UInt8], _ isHeader: Bool) throws -> Void) async throws {
    var request = ControlRequest(.get, "capture")
    request.timeout = nil
    var pending: [UInt8] = []
    var isHeader = true
    do {
      try await client.stream(request) { buffer in
        var rest = buffer.readableBytesView[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          pending += rest[..<end]
          try each(pending, isHeader)
          pending.removeAll(keepingCapacity: true)
          isHeader = false
          rest = rest[rest.index(after: end)...]
        }
        pending += rest
        guard pending.count <= Self.longestLine else {
          throw CommandFailure(.runtimeError, "the server's journal has a line that is too long")
        }
      }
    } catch let interruption as ControlInterruption {
      // What is missing is asked for again, as events.
      guard !isHeader else { throw CommandFailure(.unreachable, "\(client.target.url): \(interruption)") }
    }
  }

  private static func seq(of line: [UInt8]) -> UInt64? {
    (try? JSONValue.parse(line))?.member("seq")?.intValue.flatMap { UInt64(exactly: $0) }
  }
}
