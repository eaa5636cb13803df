import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore

/// One reader of the journal: it pulls a slice, sends it, and sleeps when there is no more.
///
/// It holds one slice at a time. A slow reader may miss records that leave the history, which it is told as a gap;
/// one that accepts nothing for a while is disconnected.
struct EventStream: Sendable {
  private let simulator: Simulator
  private let reader: JournalReader
  private let isOfEarlierProcess: Bool
  private let ending: EndSignal
  private let isRead: @Sendable () -> Bool
  private let watch: StreamWatch

  /// The ratio of rest to work of a stream while events keep coming: the gateway has priority.
  private static let rest = 64
  /// The time without new events after which a stream does not rest.
  private static let calm = Duration.milliseconds(10)
  /// The longest rest, since on a busy machine the measured work is longer than the real one.
  private static let longestRest = Duration.milliseconds(20)
  /// The rest of a reader that misses events: it has lost most of them already, and need not hurry.
  private static let restOfTheOutrun = Duration.milliseconds(60)

  /// - Parameter isRead: true while the reader is connected: a query that matches little may not write for long.
  init(
    _ simulator: Simulator,
    _ reader: JournalReader,
    isOfEarlierProcess: Bool,
    end ending: EndSignal,
    isRead: @escaping @Sendable () -> Bool,
    watch: StreamWatch
  ) {
    self.simulator = simulator
    self.reader = reader
    self.isOfEarlierProcess = isOfEarlierProcess
    self.ending = ending
    self.isRead = isRead
    self.watch = watch
  }

  /// - Parameter write: sends bytes and returns when they have been accepted.
  func run(_ write: (ByteBuffer) async throws -> Void) async throws {
    let clock = ContinuousClock()
    var (seen, lastChange) = (simulator.nextSeq, clock.now)
    watch.start()
    defer { watch.stop() }
    var greeting = ServerSentEvent.greeting
    if isOfEarlierProcess {
      ServerSentEvent.appendGap(
        0,
        "that number is from an earlier process; this is the journal of this one from its beginning",
        to: &greeting
      )
    }
    try await write(ByteBuffer(bytes: greeting))
    while !Task.isCancelled {
      let start = clock.now
      let slice = reader.next()
      var bytes: [UInt8] = []
      if slice.missed > 0 {
        ServerSentEvent.appendGap(
          slice.missed,
          slice.wasCleared
            ? "the history was cleared: by a reset, another scenario, or DELETE /notifications"
            : "these records left the history before they were read; see --keep",
          to: &bytes
        )
      }
      ServerSentEvent.append(slice, to: &bytes)
      if !bytes.isEmpty {
        watch.begin()
        try await write(ByteBuffer(bytes: bytes))
        watch.end()
      }
      let now = clock.now
      if simulator.nextSeq != seen { (seen, lastChange) = (simulator.nextSeq, now) }
      guard isRead() else { return }
      guard slice.isLast else {
        if now - lastChange < Self.calm {
          let isOutrun = slice.missed > 0 && !slice.wasCleared
          let rest = isOutrun ? Self.restOfTheOutrun : min((now - start) * Self.rest, Self.longestRest)
          try await Task.sleep(for: rest)
        }
        continue
      }
      if ending.hasFired { return }
      if !(await simulator.hasMore(from: slice.next, until: ending)) {
        try await write(ByteBuffer(string: ServerSentEvent.stillHere))
      }
    }
  }
}

/// Journal lines as server-sent events: `id:` is the sequence number, `event:` the name, `data:` the line.
enum ServerSentEvent {
  /// The beginning of a stream: a reader that lost it connects again after a second.
  static let greeting = Array("retry: 1000\n\n".utf8)
  /// A comment, for while nothing happens.
  static let stillHere = ": still here\n\n"

  /// - Parameter seq: the sequence number from which a reader goes on; nil where the event has none.
  static func append(_ event: String, seq: UInt64?, _ json: [UInt8], to bytes: inout [UInt8]) {
    if let seq { bytes += "id: \(seq)\n".utf8 }
    bytes += "event: \(event)\ndata: ".utf8
    bytes += json
    bytes += "\n\n".utf8
  }

  static func append(_ slice: Simulator.JournalSlice, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + slice.lines.count + 64 * slice.marks.count)
    var start = 0
    for mark in slice.marks {
      bytes += "id: \(mark.seq)\nevent: \(mark.event)\ndata: ".utf8
      bytes += slice.lines[start...mark.newline]
      bytes.append(UInt8(ascii: "\n"))
      start = mark.newline + 1
    }
  }

  /// Appends an event that reports missing records: `event: gap`.
  /// - Parameter missed: the number of records, as far as it is known.
  static func appendGap(_ missed: UInt64, _ reason: String, to bytes: inout [UInt8]) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("event", "gap")
    writer.member("missed", missed)
    writer.member("reason", reason)
    writer.endObject()
    append("gap", seq: nil, writer.bytes, to: &bytes)
  }
}
