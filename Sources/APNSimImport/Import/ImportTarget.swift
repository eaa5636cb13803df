import APNSimCapture
import APNSimCore
import APNSimScenario

/// The sink of an import's entries: numbers connections anew, counts, and searches for frames after gaps.
struct ImportTarget {
  private let options: ImportOptions
  private let write: (CaptureEntry) throws(CaptureFailure) -> Void
  private(set) var numbers: [ConnectionID: ConnectionID] = [:]
  /// Connections of the present file that have ended.
  private var closed = ConnectionNumbers()
  private var counts = ImportCounts()
  private var searches = FrameSearches()
  /// The connections of HTTP/2 of the present packet capture.
  var readings: [ConnectionID: RequestReading] = [:]
  private let tokens = TokenReading()
  private var ordinals: [Listener: UInt32] = [:]
  private var last: UInt32 = 0
  private var time = Timestamp(rawValue: .min)
  /// True once the present file has given an entry.
  private var isBegun = false
  /// Connections of the present file.
  private var fileConnections = 0
  /// The place in the summary of the present capture's first file.
  private var firstPart = 0
  /// Frames and bytes of services in the files before.
  private var (framesBefore, bytesOutBefore) = (0, 0)
  /// Connections that first appear with a notification, and the lines of the file that are left out.
  private var openBefore = 0
  private var leftOut = LeftOutLines()
  private var commands = 0
  /// True where the present file's lines stay as they are, and none is left out.
  private var isCopied = false
  /// The connection that the last entry opened. The next entry may say that the capture began inside it.
  private var newest: (id: ConnectionID, time: Timestamp)?

  init(_ options: ImportOptions, _ write: @escaping (CaptureEntry) throws(CaptureFailure) -> Void) {
    self.options = options
    self.write = write
  }

  /// Begins another file, whose connection numbers are independent of those of the file before.
  mutating func begin(_ name: String, _ kind: CaptureKind) {
    noteLeftOut()
    numbers = [:]
    readings = [:]
    newest = nil
    closed = ConnectionNumbers()
    fileConnections = 0
    (framesBefore, bytesOutBefore) = (counts.frameCount, summary.bytesOut)
    isBegun = false
    searches = FrameSearches()
    time = Timestamp(rawValue: .min)
    firstPart = summary.files.count
    summary.files.append(ImportSummary.File(name: name, kind: kind))
  }

  /// Begins another file of the same packet capture.
  mutating func beginPart(_ name: String) {
    guard let kind = summary.files.last?.kind else { return }
    summary.files.append(ImportSummary.File(name: name, kind: kind))
  }

  /// The counts of the present capture, whose parts are counted together.
  var present: ImportSummary.File? {
    guard firstPart < summary.files.count else { return nil }
    return summary.files[firstPart...].dropFirst().reduce(into: summary.files[firstPart]) { sum, file in
      sum.packets += file.packets
      sum.cutShort += file.cutShort
      sum.cutData += file.cutData
      sum.keepsData = sum.keepsData || file.keepsData
      sum.snapLength = max(sum.snapLength, file.snapLength)
    }
  }

  private(set) var summary: ImportSummary {
    get { counts.summary }
    _modify { yield &counts.summary }
  }

  /// True where the present file has given an entry.
  var hasPackets: Bool { (present?.packets ?? 0) > 0 }
  var hasConnections: Bool { fileConnections > 0 }

  /// True where something was read of the present file's connections: a whole frame, or bytes of a service.
  var hasReadAnything: Bool { counts.frameCount > framesBefore || summary.bytesOut > bytesOutBefore }

  mutating func countPacket() { summary.files[summary.files.count - 1].packets += 1 }
  /// Counts a packet that the snap length cut, inside its headers or in its data.
  mutating func countCut(_ length: Int, inData: Bool, keepsData: Bool = false) {
    let last = summary.files.count - 1
    if inData {
      summary.files[last].cutData += 1
      if keepsData { summary.files[last].keepsData = true }
    } else {
      summary.cutShort += 1
      summary.files[last].cutShort += 1
    }
    summary.files[last].snapLength = max(summary.files[last].snapLength, length)
  }
  mutating func change(_ body: (inout ImportSummary) -> Void) { body(&summary) }

  /// Counts bytes of a connection whose content is read.
  mutating func pass(_ bytes: Int, _ side: StreamEvent.Side, of id: ConnectionID) {
    guard let id = numbers[id] else { return }
    counts.pass(bytes, side == .provider ? .in : .out, on: id)
  }

  /// Takes an event of a packet capture or raw stream.
  mutating func receive(_ event: StreamEvent) throws(CaptureFailure) {
    if try read(event) { return }
    let direction: (StreamEvent.Side) -> CaptureDirection = { $0 == .provider ? .in : .out }
    switch event.kind {
    case .opened(let opening):
      var connection = CapturedConnection(
        id: event.connection,
        listener: opening.listener,
        peer: opening.peer,
        provider: opening.listener == .http2 ? options.requester(of: opening) : options.provider(of: opening),
        tlsVersion: opening.tlsVersion,
        cipher: opening.cipher
      )
      connection.areAnswersSeen = opening.areAnswersSeen
      if opening.listener == .http2 {
        readings[event.connection] = RequestReading(
          tokens,
          hasCertificate: !connection.provider.topics.isEmpty,
          isPartial: opening.isPartial
        )
      }
      try receive(CaptureEntry(time: event.time, kind: .connectionOpened(connection)))
      if opening.isPartial, let reading = readings[event.connection] {
        noteLoss(of: .provider, reading, event)
      }
    case .bytes(.provider, let bytes):
      try receive(
        CaptureEntry(
          time: event.time,
          kind: .bytesIn(event.connection, Array(bytes), dropped: 0, notification: nil)
        )
      )
    case .bytes(.service, let bytes):
      try receive(CaptureEntry(time: event.time, kind: .bytesOut(event.connection, Array(bytes))))
    case .missing(let side, let count):
      try receive(
        CaptureEntry(
          time: event.time,
          kind: .bytesMissing(event.connection, direction(side), count: count ?? 0)
        )
      )
    case .closed(let ending):
      let reason: ClosingReason =
        switch ending {
        case .closed(.provider): .peerClosed
        case .closed(.service): .simulatorClosed
        case .reset: .reset
        case .unseen: .failed
        }
      let kind = CaptureEntry.Kind.connectionClosed(
        event.connection,
        reason,
        byService: ending == .reset(by: .service)
      )
      try receive(CaptureEntry(time: event.time, kind: kind))
    }
  }

  /// Takes an entry of a native capture.
  /// - Parameter topic: the line's topic, for connections that the capture does not open.
  mutating func receive(
    _ entry: CaptureEntry,
    topic: @autoclosure () -> String? = nil
  ) throws(CaptureFailure) {
    if let opening = opening(before: entry, topic) { try put(opening, at: entry.time) }
    let kinds = searches.take(entry.kind) { id in numbers[id].map { counts.hasFrames($0) } ?? false }
    try tell(kinds, at: entry.time)
  }

  private mutating func tell(_ kinds: [CaptureEntry.Kind], at moment: Timestamp) throws(CaptureFailure) {
    for kind in kinds {
      if let kind = counted(CaptureEntry(time: moment, kind: kind)) { try put(kind, at: moment) }
    }
  }

  /// Counts an entry of a native capture that is copied line by line.
  mutating func count(_ entry: CaptureEntry, topic: @autoclosure () -> String? = nil) {
    isCopied = true
    _ = opening(before: entry, topic)
    _ = counted(entry)
  }

  private mutating func put(_ kind: CaptureEntry.Kind, at moment: Timestamp) throws(CaptureFailure) {
    // A connection is emitted once it is recognized, perhaps after a later event of another one.
    time = max(time, moment)
    try write(CaptureEntry(time: time, kind: kind))
  }

  /// The entry with the numbers of the import; nil for one that means nothing without its history.
  private mutating func counted(_ entry: CaptureEntry) -> CaptureEntry.Kind? {
    guard let kind = taken(entry) else { return nil }
    noteOrder(entry.time)
    summary.start = min(summary.start ?? entry.time, entry.time)
    summary.end = max(summary.end ?? entry.time, entry.time)
    return kind
  }

  /// Ends the present file's entries; those that wait are written.
  mutating func endEntries(at moment: Timestamp) throws(CaptureFailure) {
    try tell(searches.end(), at: moment)
  }

  /// Ends the present file at this moment, up to which it shows everything.
  mutating func end(at moment: Timestamp) throws(CaptureFailure) {
    endReadings()
    guard hasConnections else { return }
    try receive(CaptureEntry(time: moment, kind: .captureEnded))
  }

  /// Notes that a packet capture begins before the one in front of it has ended, as in the shell's order of names:
  /// `cap10` before `cap2`.
  private mutating func noteOrder(_ time: Timestamp) {
    guard !isBegun, let file = summary.files.last else { return }
    isBegun = true
    guard file.kind == .pcap || file.kind == .pcapng, let end = summary.end, time < end else { return }
    summary.notes.append(
      "\(file.name) begins at \(time), before the end of what is in front of it (\(end)): name captures in the order of their times"
    )
  }

  mutating func finish() {
    noteLeftOut()
    counts.finish()
  }

  /// Notes what of the present file is left out, or imported without its beginning.
  private mutating func noteLeftOut() {
    defer { (openBefore, leftOut, commands, isCopied) = (0, LeftOutLines(), 0, false) }
    guard let file = summary.files.last?.name, !isCopied else { return }
    if commands > 0 {
      summary.notes.append(
        "\(commands.counted("command")) of \(file) left out: captures put together have no common history"
      )
    }
    for text in [LeftOutLines.text(openBefore: openBefore), leftOut.text].compactMap({ $0 }) {
      summary.notes.append("\(file): \(text)")
    }
  }

  private mutating func taken(_ entry: CaptureEntry) -> CaptureEntry.Kind? {
    let before = newest
    newest = nil
    switch entry.kind {
    case .connectionOpened(let connection):
      newest = (connection.id, entry.time)
      let hasNoCertificate =
        connection.provider.subject.isEmpty && ![.device, .http2].contains(connection.listener)
      return open(connection, isTopicAssumed: hasNoCertificate && options.topic == nil)
    case .bytesIn(let id, let bytes, let dropped, _):
      guard let id = number(of: id, bytes.count) else { return nil }
      counts.receive(bytes, .in, on: id)
      if dropped > 0 { counts.lose(dropped, .in, on: id) }
      return .bytesIn(id, bytes, dropped: dropped, notification: nil)
    case .bytesOut(let id, let bytes):
      guard let id = number(of: id, bytes.count) else { return nil }
      counts.receive(bytes, .out, on: id)
      return .bytesOut(id, bytes)
    case .bytesMissing(let id, let direction, let count):
      let isBeginning = before.map { entry.isBeginningMissing(of: $0.id, openedAt: $0.time) } ?? false
      guard let id = number(of: id, 0) else { return nil }
      counts.lose(count, direction, on: id, isBeginning: isBeginning)
      return .bytesMissing(id, direction, count: count)
    case .connectionClosed(let id, let reason, let byService):
      closed.insert(id)
      guard let id = numbers.removeValue(forKey: id) else { return nil }
      counts.close(id)
      return .connectionClosed(id, reason, byService: byService)
    case .framesFound(let id):
      guard let id = number(of: id, 0) else { return nil }
      counts.findFrames(on: id)
      return .framesFound(id)
    case .captureEnded: return .captureEnded
    case .stream(let id, let happening):
      guard let id = number(of: id, 0) else { return nil }
      counts.note(happening, on: id)
      return .stream(id, happening)
    case .command:
      commands += 1
      return nil
    case .inputEnded, .other: return nil
    }
  }

  /// The connection's number in the import; nil for one that is left out.
  private mutating func number(of id: ConnectionID, _ count: Int) -> ConnectionID? {
    guard let number = numbers[id] else {
      leftOut.add(id, bytes: count)
      return nil
    }
    return number
  }

  /// Opens a connection that was open before the capture, at its first notification, which begins with a frame, or its
  /// first request.
  private mutating func opening(before entry: CaptureEntry, _ topic: () -> String?) -> CaptureEntry.Kind? {
    let id: ConnectionID
    var isOfRequests = false
    switch entry.kind {
    case .bytesIn(let found, _, _, .some): id = found
    case .stream(let found, .request): (id, isOfRequests) = (found, true)
    default: return nil
    }
    guard numbers[id] == nil, !closed.contains(id) else { return nil }
    openBefore += 1
    let known = isOfRequests ? nil : topic() ?? options.topic
    let provider = ProviderIdentity(
      topics: isOfRequests ? [] : [known ?? ImportOptions.defaultTopic],
      environment: options.environment ?? .production,
      subject: ""
    )
    let listener: Listener = isOfRequests ? .http2 : .gateway
    let connection = CapturedConnection(id: id, listener: listener, peer: "", provider: provider)
    return open(connection, isTopicAssumed: !isOfRequests && known == nil)
  }

  /// Numbers a connection anew.
  private mutating func open(
    _ found: CapturedConnection,
    isTopicAssumed: Bool
  ) -> CaptureEntry.Kind {
    var connection = found
    last += 1
    fileConnections += 1
    numbers[connection.id] = ConnectionID(rawValue: last)
    connection.id = ConnectionID(rawValue: last)
    connection.ordinal = ordinals[connection.listener, default: 0] + 1
    ordinals[connection.listener] = connection.ordinal
    counts.open(connection, isTopicAssumed: isTopicAssumed)
    return .connectionOpened(connection)
  }
}
