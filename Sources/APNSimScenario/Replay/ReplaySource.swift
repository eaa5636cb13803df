internal import APNSimCore

/// The entries of a capture for a replay, which may look ahead: some answers of the run that was recorded (a token that
/// was issued) stand in the consequences of the very input that is being replayed.
final class ReplaySource {
  /// An entry with the line it stands in.
  struct Item {
    var entry: CaptureEntry
    var line: [UInt8]
  }

  private let reader: CaptureReader
  private var ahead: [Item] = []
  private var head = 0
  /// Entries of `ahead` before this one have been looked at.
  private var scanned = 0
  /// How many entries were handed out: what was looked at ahead is of the input that was handed out last.
  private(set) var count = 0
  private var isCurrentAhead = false
  private var current: [UInt8] = []
  /// The most entries that are looked at ahead.
  private static let farthest = 100_000

  init(_ reader: CaptureReader) { self.reader = reader }

  /// Goes to what comes next.
  /// - Returns: whether it is a notification's line, not an entry that `present` has; nil at the end.
  @inline(__always)
  func advance(_ notification: inout NotificationLine) -> Bool? {
    count &+= 1
    guard head == ahead.count else { return false }
    isCurrentAhead = false
    return reader.advance(&notification)
  }

  /// What `advance` came to, as an entry.
  func present() -> CaptureEntry? {
    guard head < ahead.count else { return reader.present() }
    let item = ahead[head]
    head += 1
    if head == ahead.count {
      ahead.removeAll(keepingCapacity: true)
      (head, scanned) = (0, 0)
    }
    (isCurrentAhead, current) = (true, item.line)
    return item.entry
  }

  /// The line of the entry that was handed out last, before anybody looks ahead.
  func withLine<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    isCurrentAhead ? current.withUnsafeBytes(body) : reader.withLine { _, line in body(line) }
  }

  /// The members of that line.
  func withFields<Result>(_ body: (borrowing LineFields) -> Result) -> Result {
    guard isCurrentAhead else { return reader.withLine { fields, _ in body(fields) } }
    return current.withUnsafeBytes { line in
      var fields = LineFields()
      try? fields.read(line)
      return body(fields)
    }
  }

  /// Looks at what follows up to the next input, each line once, however often it is asked.
  func scanAhead(_ visit: (String, borrowing LineFields) -> Void) {
    scanned = max(scanned, head)
    while scanned < head + Self.farthest {
      if scanned == ahead.count {
        guard let entry = reader.next() else { return }
        ahead.append(Item(entry: entry, line: reader.withLine { _, line in Array(line) }))
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
  /// Whether the line is something that came from outside, rather than what came of it.
  var isInput: Bool {
    switch kind {
    case .connectionOpened, .bytesIn, .bytesMissing, .framesFound, .inputEnded, .connectionClosed, .command:
      true
    case .captureEnded: false
    case .bytesOut: answer == .feedback
    case .other(let name): Self.inputs.contains(name)
    }
  }

  private static let inputs: Set<String> = [
    "connectionRefused", "connectionArrived", "certificateJudged", "shutdown", "linesSent", "deviceSilent",
  ]
}
