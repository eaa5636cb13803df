import APNSimCore
import DequeModule

/// The entries of a capture for a replay, with look-ahead: some results of the recorded run (a token that was issued)
/// stand in the consequences of the input that is being replayed.
final class ReplaySource {
  /// An entry with its line.
  private struct Item {
    var entry: CaptureEntry
    var line: [UInt8]
  }

  private let reader: CaptureReader
  private var ahead: Deque<Item> = []
  private var aheadByteCount = 0
  /// The number of entries of `ahead` that have been read for consequences.
  private var scanned = 0
  /// The number of entries handed out: the entries ahead are consequences of the last one.
  private(set) var count = 0
  /// The present line, where the reader has gone on after it.
  private var current: [UInt8]?
  /// The most entries of look-ahead, and the most bytes of their lines, except for the last one.
  private static let farthest = 100_000
  private let mostBytes: Int

  init(_ reader: CaptureReader, mostBytes: Int = 16 << 20) {
    self.reader = reader
    self.mostBytes = mostBytes
  }

  /// Goes to the next line.
  /// - Returns: true for a notification's line, false for an entry, which `present` has; nil at the end.
  @inline(__always)
  func advance(_ notification: inout NotificationLine) -> Bool? {
    count &+= 1
    guard ahead.isEmpty else { return false }
    current = nil
    return reader.advance(&notification)
  }

  /// The line that `advance` reached, as an entry.
  func present() -> CaptureEntry? {
    guard let item = ahead.popFirst() else { return reader.present() }
    aheadByteCount -= item.line.count
    scanned = max(0, scanned - 1)
    current = item.line
    return item.entry
  }

  /// The line of the entry that was handed out last.
  func withLine<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let current else { return reader.withLine { _, line in body(line) } }
    return current.withUnsafeBytes(body)
  }

  /// The members of that line.
  func withFields<Result>(_ body: (borrowing LineFields) -> Result) -> Result {
    guard let current else { return reader.withLine { fields, _ in body(fields) } }
    return current.withUnsafeBytes { line in
      var fields = LineFields()
      try? fields.read(line)
      return body(fields)
    }
  }

  /// Reads the lines up to the next input, each line once for all calls.
  func scanAhead(_ visit: (String, borrowing LineFields) -> Void) {
    while scanned < Self.farthest {
      if scanned == ahead.count {
        guard aheadByteCount < mostBytes else { return }
        if current == nil { current = reader.withLine { _, line in Array(line) } }
        guard let entry = reader.next() else { return }
        let line = reader.withLine { _, line in Array(line) }
        ahead.append(Item(entry: entry, line: line))
        aheadByteCount += line.count
      }
      guard !ahead[scanned].entry.isInput else { return }
      ahead[scanned].line.withUnsafeBytes { line in
        var fields = LineFields()
        guard (try? fields.read(line)) != nil else { return }
        visit(fields.string("event") ?? "", fields)
      }
      scanned += 1
    }
  }
}

extension CaptureEntry {
  /// True for an input; false for a consequence of one.
  var isInput: Bool {
    switch kind {
    case .connectionOpened, .bytesIn, .bytesMissing, .framesFound, .inputEnded, .connectionClosed, .command:
      true
    case .stream(_, let happening): happening.isRequest
    case .captureEnded: false
    case .bytesOut: answer == .feedback
    case .other(let name): Self.inputs.contains(name)
    }
  }

  private static let inputs: Set<String> = [
    "connectionRefused", "connectionArrived", "certificateJudged", "shutdown", "linesSent", "deviceSilent",
  ]
}
