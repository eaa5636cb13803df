internal import APNSimCore
internal import APNSimWire

/// Reads a capture into a digest, in one pass.
struct DigestReading {
  private let reader: CaptureReader
  private var digest: CaptureDigest
  private var start: Timestamp?
  /// Topics of gateway connections, by their numbers.
  private var topics: [ConnectionID: UInt32] = [:]
  /// The connection that was asked for last, since many notifications in a row come on the same one.
  private var last: (id: ConnectionID, topic: UInt32)?
  /// Connections to something else than the gateway.
  private var others: Set<ConnectionID> = []
  /// Connections that show themselves by a notification first.
  private var openBefore = 0
  private var leftOut = LeftOutLines()
  private var tails: [ConnectionID: [UInt8]] = [:]
  /// Broken connections on which frames were found again.
  private var resumed: Set<ConnectionID> = []
  /// Connections on which something else than a frame came, or what follows was not read for another reason.
  private var unreadable: Set<ConnectionID> = []
  /// Those of an imported capture on which redaction may have left nothing behind a frame that does not hold together.
  private var blotted: Set<ConnectionID> = []
  /// Places of stored notifications, by their numbers: of these it is told later what has become of them.
  private var stored: [UInt64: Int] = [:]
  /// Notifications that were answered on their beginning, which is all that their line has; the rest follows by itself.
  private var unfinished: [ConnectionID: (place: Int, bytes: [UInt8])] = [:]
  private var answers = DigestAnswers()
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
    answers.finish()
    (digest.errors, digest.tuples) = (answers.errors, answers.tuples)
    digest.notes = [LeftOutLines.text(openBefore: openBefore), leftOut.text].compactMap { $0 }
    return digest
  }

  /// Takes a notification of a connection that is known.
  /// - Returns: false where it has to be taken as an entry.
  private mutating func add(_ line: NotificationLine) -> Bool {
    let id = line.connection
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
    case .connectionOpened(let connection):
      guard connection.listener == .gateway else {
        others.insert(connection.id)
        if connection.listener == .feedback {
          answers.beginList(connection.id, topic: connection.provider.topic)
        }
        return
      }
      begin(connection.id, topic: connection.provider.topic)
    case .bytesIn(let id, let bytes, let dropped, let notification):
      if notification != nil { beginWithin(id) }
      guard let topic = topics[id] else {
        // A journal has nothing there that would be compared.
        if digest.isImported, !others.contains(id) { leftOut.add(id, bytes: bytes.count) }
        return
      }
      guard isReadable(id) else { return }
      if let notification {
        add(bytes, notification, topic, id, entry.time)
      } else if unfinished[id] != nil {
        finish(with: bytes, topic, id, entry.time)
      } else if digest.isImported || reader.gaps.isEmpty {
        addStream(bytes, topic, id, entry.time)
      }
      guard dropped > 0 else { return }
      if digest.isImported {
        lose(id)
      } else {
        giveUp(id)
      }
    case .bytesOut(let id, let bytes):
      if let topic = topics[id] {
        return answers.addError(
          bytes,
          on: id,
          topic: String(decoding: digest.items.topics[Int(topic)], as: UTF8.self)
        )
      }
      if others.contains(id) { return answers.addTuples(bytes, on: id) }
      let isOurs = digest.isImported || entry.answer == .errorResponse
      guard isOurs, ErrorResponse(bytes: bytes) != nil else { return }
      leftOut.add(id, bytes: bytes.count)
    case .bytesMissing(let id, .in, _):
      if topics[id] != nil { lose(id) }
    case .framesFound(let id):
      resumed.insert(id)
      unreadable.remove(id)
      (tails[id], unfinished[id]) = (nil, nil)
    case .bytesMissing(let id, .out, _): answers.lose(id)
    case .connectionClosed(let id, _, _):
      endFrames(of: id, at: entry.time)
      answers.end(id)
    case .other(let name):
      guard let outcome = Outcome(name) else { return }
      let number = reader.withLine { fields, _ in fields.number("notification", after: "n") }
      guard let place = number.flatMap({ stored.removeValue(forKey: $0) }) else { return }
      digest.items.entries[place].outcome = outcome
    case .command, .inputEnded, .captureEnded: break
    }
  }

  // MARK: Connections

  /// Whether it is known where frames begin.
  private func isReadable(_ id: ConnectionID) -> Bool {
    digest.broken.isEmpty || !digest.broken.contains(id) || resumed.contains(id)
  }

  private mutating func begin(_ id: ConnectionID, topic: String) {
    digest.connections += 1
    topics[id] = number(ofTopic: topic)
    last = nil
  }

  /// A notification of a connection that the capture does not open: it was open before. Its lines are whole frames, so
  /// that everything from there on is known.
  private mutating func beginWithin(_ id: ConnectionID) {
    guard topics[id] == nil, !others.contains(id) else { return }
    openBefore += 1
    begin(id, topic: reader.topic ?? "")
    // Redaction does not know where the other bytes of such a connection belong.
    if digest.isFilled { giveUp(id) }
  }

  /// Bytes of the provider are missing: where the next frame begins is not known.
  private mutating func lose(_ id: ConnectionID) {
    digest.broken.insert(id)
    resumed.remove(id)
    (tails[id], unfinished[id]) = (nil, nil)
  }

  /// Nothing more of the connection is taken for frames but what has verdicts.
  private mutating func giveUp(_ id: ConnectionID) {
    unreadable.insert(id)
    tails[id] = nil
  }

  private mutating func number(ofTopic topic: String) -> UInt32 {
    Array(topic.utf8).withUnsafeBytes { UInt32(digest.items.topics.number(of: $0)) }
  }

  // MARK: Notifications

  private mutating func add(
    _ bytes: [UInt8],
    _ notification: CapturedNotification,
    _ topic: UInt32,
    _ id: ConnectionID,
    _ time: Timestamp
  ) {
    let place = digest.items.count
    let frame = bytes.withUnsafeBytes { bytes in
      let frame = FrameDecoder.next(in: bytes, from: 0, mode: .reading)
      append(frame, bytes, notification.number, topic, id, time)
      return frame
    }
    digest.items.entries[place].outcome = notification.outcome
    digest.items.entries[place].status = notification.status
    if notification.outcome == .stored { stored[notification.number] = place }
    guard let frame else {
      if let identifier = bytes.withUnsafeBytes({ FrameDecoder.identifier(ofBeginning: $0) }) {
        digest.items.entries[place].identify(identifier)
      }
      unfinished[id] = (place, bytes)
      return
    }
    // Behind a frame that does not hold together redaction leaves nothing.
    if !frame.hasEnd || digest.isFilled && frame.form == .malformed { giveUp(id) }
  }

  private mutating func finish(with bytes: [UInt8], _ topic: UInt32, _ id: ConnectionID, _ time: Timestamp) {
    guard let (place, beginning) = unfinished.removeValue(forKey: id) else { return }
    let all = beginning + bytes
    let found = all.withUnsafeBytes { bytes -> Frame? in
      guard let frame = FrameDecoder.next(in: bytes, from: 0, mode: .reading) else { return nil }
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<frame.end])
      let (token, content) = parts(of: frame, whole)
      (digest.items.entries[place].token, digest.items.entries[place].content) = (token, content)
      return frame
    }
    digest.items.entries[place].isCutOff = found == nil
    guard let frame = found else {
      unfinished[id] = (place, all)
      return
    }
    if frame.hasIdentifier { digest.items.entries[place].identify(frame.identifier) }
    guard frame.hasEnd else { return giveUp(id) }
    if frame.end < all.count { addStream(Array(all[frame.end...]), topic, id, time) }
  }

  /// No more comes on a connection: a frame that was begun counts as far as it came.
  private mutating func endFrames(of id: ConnectionID, at time: Timestamp?) {
    let tail = tails.removeValue(forKey: id) ?? []
    if let (place, bytes) = unfinished.removeValue(forKey: id) {
      digest.items.entries[place].content = bytes.withUnsafeBytes { content(of: nil, $0) }
    } else if !tail.isEmpty, !blotted.contains(id), let topic = topics[id] {
      tail.withUnsafeBytes { bytes in
        append(nil, bytes, 0, topic, id, time ?? start ?? Timestamp(rawValue: 0))
        guard let identifier = FrameDecoder.identifier(ofBeginning: bytes) else { return }
        digest.items.entries[digest.items.count - 1].identify(identifier)
      }
    }
  }

  /// The bytes of a connection of which nobody said where its frames begin: a journal has such where the gateway found
  /// none either.
  private mutating func addStream(_ bytes: [UInt8], _ topic: UInt32, _ id: ConnectionID, _ time: Timestamp) {
    guard !unreadable.contains(id) else { return }
    // Taken out, it grows in place.
    var all = tails.removeValue(forKey: id) ?? []
    all += bytes
    var hasEnd = true
    let offset = all.withUnsafeBytes { bytes in
      var offset = 0
      while hasEnd, let frame = FrameDecoder.next(in: bytes, from: offset, mode: .reading) {
        // What redaction has blotted out is nothing that a provider wrote.
        if digest.isFilled, !frame.hasEnd, bytes[frame.start] == FrameStream.blot {
          hasEnd = false
          break
        }
        if digest.isFilled, frame.form == .malformed { blotted.insert(id) }
        let number = digest.isImported ? UInt64(digest.items.count + 1) : 0
        append(
          frame,
          UnsafeRawBufferPointer(rebasing: bytes[frame.start..<frame.end]),
          number,
          topic,
          id,
          time
        )
        // A gateway that had looked at it would have said so.
        if !digest.isImported { digest.items.entries[digest.items.count - 1].outcome = .discarded }
        (offset, hasEnd) = (frame.end, frame.hasEnd)
      }
      return offset
    }
    // Behind what is no frame none can be found.
    guard hasEnd else { return giveUp(id) }
    all.removeFirst(offset)
    tails[id] = all
  }

  /// - Parameter bytes: those of the frame.
  private mutating func append(
    _ frame: Frame?,
    _ bytes: UnsafeRawBufferPointer,
    _ number: UInt64,
    _ topic: UInt32,
    _ id: ConnectionID,
    _ time: Timestamp
  ) {
    let (token, content) = parts(of: frame, bytes)
    let hasIdentifier = frame?.hasIdentifier ?? false
    digest.items.entries.append(
      DigestItems.Entry(
        number: number,
        time: time - (start ?? time),
        content: content,
        connection: id,
        identifier: hasIdentifier ? frame?.identifier.rawValue ?? 0 : 0,
        hasIdentifier: hasIdentifier,
        command: frame?.command ?? bytes.first ?? 0,
        priority: frame.map { $0.hasPriority ? $0.priority : 0 } ?? 0,
        expiry: frame.map { $0.hasExpiry ? $0.expiry : 0 } ?? 0,
        hasExpiry: frame?.hasExpiry ?? false,
        isFrame: frame?.hasEnd ?? true,
        isWhole: frame?.form == .complete,
        status: 0,
        outcome: nil,
        topic: topic,
        token: token,
        isCutOff: frame == nil
      )
    )
  }

  /// The number of a frame's token, and what stands for the rest of it.
  private mutating func parts(
    of frame: Frame?,
    _ bytes: UnsafeRawBufferPointer
  ) -> (token: UInt32, content: Fingerprint) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    func part(_ range: Range<Int>?) -> UnsafeRawBufferPointer {
      guard let frame, let range, range.lowerBound >= frame.start,
        range.upperBound - frame.start <= bytes.count
      else { return nothing }
      return UnsafeRawBufferPointer(
        rebasing: bytes[range.lowerBound - frame.start..<range.upperBound - frame.start]
      )
    }
    let payload = frame == nil || frame?.form == .malformed ? nil : part(frame?.payload)
    return (
      UInt32(truncatingIfNeeded: digest.items.tokens.number(of: part(frame?.token))),
      content(of: payload, bytes)
    )
  }

  private func content(of payload: UnsafeRawBufferPointer?, _ bytes: UnsafeRawBufferPointer) -> Fingerprint {
    guard digest.isFilled else { return Fingerprint(of: payload ?? bytes) }
    // Of what cannot be read redaction leaves the first byte and the length.
    guard let payload else { return Fingerprint(low: UInt64(bytes.first ?? 0), high: UInt64(bytes.count)) }
    return PayloadFiller.redact(Array(payload)).withUnsafeBytes { Fingerprint(of: $0) }
  }
}

extension DigestItems.Entry {
  fileprivate mutating func identify(_ identifier: NotificationIdentifier) {
    (self.identifier, hasIdentifier) = (identifier.rawValue, true)
  }
}
