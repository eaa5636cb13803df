import APNSimCore
import APNSimWire

/// Reads a capture into a digest, in one pass.
struct DigestReading {
  private let reader: CaptureReader
  var digest: CaptureDigest
  var start: Timestamp?
  /// Topics of gateway connections, by their numbers.
  var topics: [ConnectionID: UInt32] = [:]
  /// The connection of the last look-up, because many notifications in a row come on the same one.
  private var last: (id: ConnectionID, topic: UInt32)?
  /// Connections to other services than the gateway.
  private var others: Set<ConnectionID> = []
  /// Connections that first appear with a notification.
  private var openBefore = 0
  private var leftOut = LeftOutLines()
  var tails: [ConnectionID: [UInt8]] = [:]
  /// Broken connections on which frames were found again.
  private var resumed: Set<ConnectionID> = []
  /// Connections whose further bytes are not read, because something else than a frame came or for another reason.
  var unreadable: Set<ConnectionID> = []
  /// Connections of an imported capture on which redaction may have left nothing after an inconsistent frame.
  var blotted: Set<ConnectionID> = []
  /// The places of stored notifications, by their numbers: their final outcomes come later.
  var stored: [UInt64: Int] = [:]
  /// Notifications that were answered on their beginning: their line has only that, and the rest follows as bytes.
  var unfinished: [ConnectionID: (place: Int, bytes: [UInt8])] = [:]
  private var answers = DigestAnswers()
  /// Connections of requests, and those of them whose answers the capture has, even if there are none.
  private var requesters: Set<ConnectionID> = []
  private(set) var answersSeen: Set<ConnectionID> = []
  /// The places of requests whose answers are not known yet, by their streams.
  var unanswered: [ConnectionID: [UInt32: Int]] = [:]
  /// The answer that the present line has.
  var recordedAnswer: CapturedAnswer? { reader.answer }
  /// The frame of the present line.
  private var frame: [UInt8] = []

  init(_ reader: CaptureReader, isFilled: Bool) {
    self.reader = reader
    digest = CaptureDigest(
      isImported: reader.header.source != nil,
      isRedacted: reader.header.isRedacted,
      isFilled: isFilled
    )
  }

  mutating func run(progress: ((Double) -> Void)?) -> CaptureDigest {
    var lines = 0
    var line = NotificationLine()
    while let isNotification = reader.advance(&line) {
      if !isNotification || !add(line) {
        guard let entry = reader.present() else { break }
        add(entry)
      }
      lines += 1
      if lines % 4096 == 0, let done = reader.progress { progress?(done) }
    }
    digest.damage = reader.damage
    digest.gaps = reader.gaps
    for id in Set(tails.keys).union(unfinished.keys).sorted() { endFrames(of: id, at: nil) }
    for id in unanswered.keys.sorted() { endRequests(of: id) }
    answers.finish()
    (digest.errors, digest.tuples) = (answers.errors, answers.tuples)
    digest.notes = [LeftOutLines.text(openBefore: openBefore), leftOut.text].compactMap { $0 }
    return digest
  }

  /// Takes a notification of a connection that is known.
  /// - Returns: false for a line that has to be read as an entry.
  private mutating func add(_ line: NotificationLine) -> Bool {
    let id = line.connection
    // The other members of such a line decide how the rest is read.
    if digest.isFilled, line.facts.outcome == .rejected { return false }
    if last?.id != id {
      guard let topic = topics[id] else { return false }
      last = (id, topic)
    }
    guard let topic = last?.topic else { return false }
    frame.removeAll(keepingCapacity: true)
    guard Base64.decode(line.raw, into: &frame) else { return false }
    start = start ?? line.time
    if isReadable(id) {
      add(frame, line.facts, topic, id, line.time)
    }
    return true
  }

  private mutating func add(_ entry: CaptureEntry) {
    start = start ?? entry.time
    switch entry.kind {
    case .connectionOpened(let connection): begin(connection)
    case .bytesIn(let id, let bytes, let dropped, let notification):
      if let notification, notification.answer != nil {
        addRequest(bytes, notification, on: id, at: entry.time)
      } else {
        add(bytes, dropped: dropped, notification, on: id, at: entry.time)
      }
    case .bytesOut(let id, let bytes): addAnswer(bytes, isError: entry.answer == .errorResponse, on: id)
    case .bytesMissing(let id, .in, _):
      if topics[id] != nil { lose(id) }
    case .framesFound(let id):
      resumed.insert(id)
      unreadable.remove(id)
      (tails[id], unfinished[id]) = (nil, nil)
    case .bytesMissing(let id, .out, _): answers.lose(id)
    case .connectionClosed(let id, _, _):
      endFrames(of: id, at: entry.time)
      endRequests(of: id)
      answers.end(id)
    case .other("faultFired"):
      if let (id, frame) = reader.faultFrame { add(frame, on: id, at: entry.time) }
    case .other(let name):
      guard let outcome = Outcome(name) else { return }
      let number = reader.withLine { fields, _ in fields.number("notification", after: "n") }
      guard let place = number.flatMap({ stored.removeValue(forKey: $0) }) else { return }
      digest.items.entries[place].outcome = outcome
    case .stream(let id, let happening): add(happening, on: id, at: entry.time)
    case .command, .inputEnded, .captureEnded: break
    }
  }

  // MARK: Bytes

  private mutating func addRequest(
    _ bytes: [UInt8],
    _ notification: CapturedNotification,
    on id: ConnectionID,
    at time: Timestamp
  ) {
    if !requesters.contains(id) {
      openBefore += 1
      beginRequests(id, isSeen: true)
    }
    add(request: bytes, notification, on: id, at: time)
  }

  /// Takes bytes of a provider, of which `dropped` were only counted.
  private mutating func add(
    _ bytes: [UInt8],
    dropped: Int,
    _ notification: CapturedNotification?,
    on id: ConnectionID,
    at time: Timestamp
  ) {
    if notification != nil { beginWithin(id) }
    guard let topic = topics[id] else {
      // A journal has nothing comparable there.
      if digest.isImported, !others.contains(id) { leftOut.add(id, bytes: bytes.count) }
      return
    }
    guard isReadable(id) else { return }
    if let notification {
      add(bytes, notification, topic, id, time)
      if digest.isFilled, notification.outcome == .rejected, isUnframed {
        giveUp(id)
        unfinished[id] = nil
      }
    } else if unfinished[id] != nil {
      finish(with: bytes, topic, id, time)
    } else if digest.isImported || reader.gaps.isEmpty {
      addStream(bytes, topic, id, time)
    }
    guard dropped > 0 else { return }
    if digest.isImported {
      lose(id)
    } else {
      giveUp(id)
    }
  }

  private mutating func addAnswer(_ bytes: [UInt8], isError: Bool, on id: ConnectionID) {
    if let topic = topics[id] {
      let name = String(decoding: digest.items.topics[Int(topic)], as: UTF8.self)
      return answers.addError(bytes, on: id, topic: name)
    }
    if others.contains(id) { return answers.addTuples(bytes, on: id) }
    guard digest.isImported || isError, ErrorResponse(bytes: bytes) != nil else { return }
    leftOut.add(id, bytes: bytes.count)
  }

  /// True where the gateway could not find the end of the present line's frame, as with an unknown command: redaction
  /// leaves nothing after it, however another gateway would have read that.
  private var isUnframed: Bool {
    reader.withLine { fields, _ in fields.equals("check", "command") || fields.equals("check", "framing") }
  }

  // MARK: Connections

  /// True where the beginnings of frames are known.
  private func isReadable(_ id: ConnectionID) -> Bool {
    digest.broken.isEmpty || !digest.broken.contains(id) || resumed.contains(id)
  }

  private mutating func beginRequests(_ id: ConnectionID, isSeen: Bool) {
    digest.connections += 1
    requesters.insert(id)
    others.insert(id)
    if isSeen { answersSeen.insert(id) }
  }

  private mutating func begin(_ connection: CapturedConnection) {
    switch connection.listener {
    case .http2:
      beginRequests(connection.id, isSeen: !digest.isImported || connection.areAnswersSeen)
    case .gateway: begin(connection.id, topic: connection.provider.topic)
    case .feedback:
      others.insert(connection.id)
      answers.beginList(connection.id, topic: connection.provider.topic)
    case .device: others.insert(connection.id)
    }
  }

  private mutating func begin(_ id: ConnectionID, topic: String) {
    digest.connections += 1
    topics[id] = number(ofTopic: topic)
    last = nil
  }

  /// Takes a notification of a connection that was open before the capture. Its lines are whole frames, so that
  /// everything from there on is known.
  private mutating func beginWithin(_ id: ConnectionID) {
    guard topics[id] == nil, !others.contains(id) else { return }
    openBefore += 1
    begin(id, topic: reader.topic ?? "")
    // Redaction cannot assign the other bytes of such a connection.
    if digest.isFilled { giveUp(id) }
  }

  /// Notes missing bytes of the provider, after which the beginning of the next frame is not known.
  private mutating func lose(_ id: ConnectionID) {
    digest.broken.insert(id)
    resumed.remove(id)
    (tails[id], unfinished[id]) = (nil, nil)
  }

  /// Stops reading the connection's bytes as frames, except for those with verdicts.
  mutating func giveUp(_ id: ConnectionID) {
    unreadable.insert(id)
    tails[id] = nil
  }

  private mutating func number(ofTopic topic: String) -> UInt32 {
    Array(topic.utf8).withUnsafeBytes { UInt32(digest.items.topics.number(of: $0)) }
  }
}
