import APNSimScenario
import APNSimWire
import NIOCore

/// Takes a running server's journal: what it remembers, then what happens, without a gap between the two.
struct RecordRun: Sendable {
  let client: ControlClient
  /// The number of events after which to end; nil never does.
  var count: Int?
  var isFromNow: Bool

  private struct Enough: Error {}

  func run(into file: RecordFile) async throws {
    var last: UInt64 = 0
    var header: [UInt8] = []
    do {
      try await remembered { line, isHeader in
        if isHeader, isFromNow { header = line }
        let seq = isHeader ? nil : Self.seq(of: line)
        if let seq {
          if last == 0, seq > 1, !isFromNow { file.noteBeginning(seq) }
          if last > 0, seq > last &+ 1, !isFromNow { file.noteMissed(seq - last - 1) }
          last = max(last, seq)
        }
        guard !isFromNow else { return }
        try file.append(line, isEvent: !isHeader)
        try endWhenEnough(file)
      }
      if isFromNow { try await file.append(begun(header, after: last), isEvent: false) }
      var feed = EventFeed(client, after: last)
      feed.endsWithServer = true
      try await feed.run { event, gap in
        if let gap { file.noteMissed(gap.count) }
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
    // Events come unredacted, and one redactor has to see all lines.
    request.query = [("redact", "false")]
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
        guard pending.count <= DocumentLimits.journalLine else {
          throw CommandFailure(.runtimeError, "the server's journal has a line that is too long")
        }
      }
    } catch let interruption as ControlInterruption {
      // Missing lines are requested again, as events.
      guard !isHeader else { throw CommandFailure(.unreachable, "\(client.target.url): \(interruption)") }
    }
  }

  /// The header of a recording that leaves out what happened up to an event: it says where the file begins, and what
  /// the clock shows there.
  private func begun(_ header: [UInt8], after last: UInt64) async throws -> [UInt8] {
    guard last > 0, let members = (try? JSONValue.parse(header))?.objectValue else { return header }
    let now = try await client.json(ControlRequest(.get, "clock")).member("now")
    var writer = JSONWriter(reservingCapacity: header.count)
    writer.beginObject()
    for member in members where member.key != "completeFrom" {
      writer.key(member.key)
      guard member.key == "clock" else {
        writer.value(member.value)
        continue
      }
      let clock = (member.value.objectValue ?? []).filter { $0.key != "now" }
      writer.value(.object(clock + (now.map { [JSONValue.Member(key: "now", value: $0)] } ?? [])))
      writer.member("completeFrom", last + 1)
    }
    writer.endObject()
    return writer.bytes
  }

  private static func seq(of line: [UInt8]) -> UInt64? {
    (try? JSONValue.parse(line))?.member("seq")?.intValue.flatMap { UInt64(exactly: $0) }
  }
}
