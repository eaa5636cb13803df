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
  private var isCurrentAhead = false
  private var current: [UInt8] = []
  /// The most entries that are looked at ahead.
  private static let farthest = 100_000

  init(_ reader: CaptureReader) { self.reader = reader }

  func next() -> CaptureEntry? {
    guard head < ahead.count else {
      isCurrentAhead = false
      return reader.next()
    }
    let item = ahead[head]
    head += 1
    if head == ahead.count {
      ahead.removeAll(keepingCapacity: true)
      head = 0
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

  /// Looks through what follows until `find` has found something or the next input comes.
  func lookAhead<Found>(_ find: (String, borrowing LineFields) -> Found?) -> Found? {
    var place = head
    while place < head + Self.farthest {
      if place == ahead.count {
        guard let entry = reader.next() else { return nil }
        ahead.append(Item(entry: entry, line: reader.withLine { _, line in Array(line) }))
      }
      let item = ahead[place]
      if item.entry.isInput { return nil }
      let found = item.line.withUnsafeBytes { line -> Found? in
        var fields = LineFields()
        guard (try? fields.read(line)) != nil else { return nil }
        return find(fields.string("event") ?? "", fields)
      }
      if let found { return found }
      place += 1
    }
    return nil
  }
}

extension CaptureEntry {
  /// Whether the line is something that came from outside, rather than what came of it.
  var isInput: Bool {
    switch kind {
    case .connectionOpened, .bytesIn, .bytesMissing, .connectionClosed, .command: true
    case .bytesOut: answer == .feedback
    case .other(let name): Self.inputs.contains(name)
    }
  }

  private static let inputs: Set<String> = [
    "connectionRefused", "connectionArrived", "certificateJudged", "inputEnded", "shutdown", "linesSent",
    "deviceSilent",
  ]
}
