package import APNSimCore
package import APNSimWire

/// What happened in a capture as its providers would tell it: which notifications, in which order on each connection,
/// and what became of them.
package struct CaptureDigest: Sendable {
  /// One notification.
  package struct Item: Sendable {
    /// `n57`, without its letter; counted where the capture has no numbers, 0 for what a journal does not call a
    /// notification.
    package var number: UInt64
    package var connection: ConnectionID
    /// Since the capture's first line.
    package var time: TimeSpan
    package var topic: String
    package var identifier: NotificationIdentifier?
    package var token: [UInt8]
    /// Its first byte.
    package var command: UInt8
    /// Whether it is a frame: something else can stand where one should begin.
    package var isFrame: Bool
    /// What has become of it in the end; nil where the capture does not say.
    package var outcome: Outcome?
    package var status: UInt8
    /// A hash of the payload, or of a frame that cannot be read.
    var content: [UInt64]

    /// What it is called: by its identifier, where it has one.
    package var label: String {
      if let identifier { return identifier.hex }
      return isFrame ? "command \(command)" : "no frame (command \(Hex.encode([command])))"
    }
  }

  /// An error response, or what came of one before its connection ended.
  package struct ErrorItem: Hashable, Sendable {
    package var topic: String
    package var bytes: [UInt8]

    /// What it says, where it is whole.
    package var response: ErrorResponse? { ErrorResponse(bytes: bytes) }
  }

  package private(set) var items: [Item] = []
  package private(set) var errors: [ErrorItem] = []
  package private(set) var connections = 0
  /// Gateway connections of which bytes from the provider are missing: what stands behind the first gap is left out,
  /// since it is not known where its frames begin.
  package private(set) var broken: Set<ConnectionID> = []
  package private(set) var damage: CaptureDamage?
  package private(set) var gaps = CaptureGaps()
  package private(set) var isImported: Bool
  package private(set) var isRedacted: Bool
  /// Whether payloads are told apart by no more than redaction leaves of them.
  package let isFilled: Bool
  private var start: Timestamp?
  private var topics: [ConnectionID: String] = [:]
  /// Connections to something else than the gateway.
  private var others: Set<ConnectionID> = []
  /// Connections that show themselves by a notification first.
  private var openBefore = 0
  private var leftOut = LeftOutLines()
  private var tails: [ConnectionID: [UInt8]] = [:]
  /// Connections on which something else than a frame came, or what follows was not read for another reason.
  private var unreadable: Set<ConnectionID> = []
  private var byNumber: [UInt64: Int] = [:]
  /// Notifications that were answered on their beginning, which is all that their line has; the rest follows by itself.
  private var unfinished: [ConnectionID: (index: Int, bytes: [UInt8])] = [:]
  /// The beginnings of error responses that came in pieces.
  private var answers: [ConnectionID: [UInt8]] = [:]

  /// Reads a whole capture.
  /// - Parameter isFilled: whether it is compared with a redacted one.
  package init(_ reader: CaptureReader, isFilled: Bool = false, progress: ((Double) -> Void)? = nil) {
    isImported = reader.header.source != nil
    isRedacted = reader.header.isRedacted
    self.isFilled = isFilled
    var lines = 0
    while let entry = reader.next() {
      add(entry, reader)
      lines += 1
      if lines % 4096 == 0, let done = reader.progress { progress?(done) }
    }
    damage = reader.damage
    gaps = reader.gaps
    for id in answers.keys.sorted() { endAnswer(on: id) }
    byNumber = [:]
    (tails, unfinished, unreadable, others) = ([:], [:], [], [])
  }

  /// What else a reader should know, a line each.
  package var notes: [String] {
    [LeftOutLines.text(openBefore: openBefore), leftOut.text].compactMap { $0 }
  }

  private mutating func add(_ entry: CaptureEntry, _ reader: CaptureReader) {
    start = start ?? entry.time
    switch entry.kind {
    case .connectionOpened(let connection):
      guard connection.listener == .gateway else {
        others.insert(connection.id)
        return
      }
      connections += 1
      topics[connection.id] = connection.provider.topic
    case .bytesIn(let id, let bytes, let dropped, let notification):
      if notification != nil { begin(id, reader) }
      guard let topic = topics[id] else {
        // A journal has nothing there that would be compared.
        if isImported, !others.contains(id) { leftOut.add(id, bytes: bytes.count) }
        return
      }
      guard !broken.contains(id) else { return }
      if let notification {
        add(bytes, notification, topic, id, entry.time)
      } else if unfinished[id] != nil {
        finish(with: bytes, topic, id, entry.time)
      } else if isImported || reader.gaps.isEmpty {
        addStream(bytes, topic, id, entry.time)
      }
      guard dropped > 0 else { return }
      if isImported { broken.insert(id) } else { giveUp(id) }
    case .bytesOut(let id, let bytes):
      if let topic = topics[id] { return addAnswer(bytes, on: id, of: topic) }
      let isOurs = isImported || entry.answer == .errorResponse
      guard isOurs, !others.contains(id), ErrorResponse(bytes: bytes) != nil else { return }
      leftOut.add(id, bytes: bytes.count)
    case .bytesMissing(let id, .in, _): if topics[id] != nil { broken.insert(id) }
    case .bytesMissing(let id, .out, _): answers[id] = nil
    case .connectionClosed(let id, _):
      (tails[id], unfinished[id]) = (nil, nil)
      endAnswer(on: id)
    case .other("faultFired"):
      // What a gateway does not read any more is not compared.
      let number = reader.withLine { fields, _ in fields.number("connection", after: "c") }
      if let id = number.flatMap({ UInt32(exactly: $0) }) { giveUp(ConnectionID(rawValue: id)) }
    case .other(let name):
      guard let outcome = Outcome(name) else { return }
      let number = reader.withLine { fields, _ in fields.number("notification", after: "n") }
      if let index = number.flatMap({ byNumber[$0] }) { items[index].outcome = outcome }
    case .command, .inputEnded: break
    }
  }

  /// Takes what a gateway wrote, in however many pieces it came: error responses and nothing else.
  private mutating func addAnswer(_ bytes: [UInt8], on id: ConnectionID, of topic: String) {
    var rest = ((answers.removeValue(forKey: id) ?? []) + bytes)[...]
    while rest.count >= ErrorResponse.byteCount {
      let item = ErrorItem(topic: topic, bytes: Array(rest.prefix(ErrorResponse.byteCount)))
      guard item.response != nil else { return }
      rest = rest.dropFirst(ErrorResponse.byteCount)
      errors.append(item)
    }
    if !rest.isEmpty { answers[id] = Array(rest) }
  }

  /// No more comes of an error response that was begun.
  private mutating func endAnswer(on id: ConnectionID) {
    guard let bytes = answers.removeValue(forKey: id), bytes.first == ErrorResponse.command else { return }
    errors.append(ErrorItem(topic: topics[id] ?? "", bytes: bytes))
  }

  /// A notification of a connection that the capture does not open: it was open before. Its lines are whole frames, so
  /// that everything from there on is known.
  private mutating func begin(_ id: ConnectionID, _ reader: CaptureReader) {
    guard topics[id] == nil, !others.contains(id) else { return }
    connections += 1
    openBefore += 1
    topics[id] = reader.topic ?? ""
    // Redaction does not know where the other bytes of such a connection belong.
    if isFilled { giveUp(id) }
  }

  /// Nothing more of the connection is taken for frames but what has verdicts.
  private mutating func giveUp(_ id: ConnectionID) {
    unreadable.insert(id)
    tails[id] = nil
  }

  private mutating func add(
    _ bytes: [UInt8],
    _ notification: CapturedNotification,
    _ topic: String,
    _ id: ConnectionID,
    _ time: Timestamp
  ) {
    let frame = bytes.withUnsafeBytes { FrameDecoder.next(in: $0, from: 0, mode: .reading) }
    byNumber[notification.number] = items.count
    var item = item(frame, bytes[...], notification.number, topic, id, time)
    (item.outcome, item.status) = (notification.outcome, notification.status)
    if frame == nil {
      item.identifier = bytes.withUnsafeBytes { FrameDecoder.identifier(ofBeginning: $0) }
      unfinished[id] = (items.count, bytes)
    }
    // Behind a frame that does not hold together redaction leaves nothing.
    if let frame, !frame.hasEnd || isFilled && frame.form == .malformed { giveUp(id) }
    items.append(item)
  }

  private mutating func finish(
    with bytes: [UInt8],
    _ topic: String,
    _ id: ConnectionID,
    _ time: Timestamp
  ) {
    // What redaction leaves of such a rest is no frame.
    guard let (index, beginning) = unfinished.removeValue(forKey: id), !isFilled else { return }
    let all = beginning + bytes
    guard let frame = all.withUnsafeBytes({ FrameDecoder.next(in: $0, from: 0, mode: .reading) }) else {
      return
    }
    (items[index].token, items[index].content) = parts(of: frame, all[..<frame.end])
    if frame.hasIdentifier { items[index].identifier = frame.identifier }
    guard frame.hasEnd else { return giveUp(id) }
    if frame.end < all.count { addStream(Array(all[frame.end...]), topic, id, time) }
  }

  /// The bytes of a connection of which nobody said where its frames begin: a journal has such where the gateway found
  /// none either.
  private mutating func addStream(_ bytes: [UInt8], _ topic: String, _ id: ConnectionID, _ time: Timestamp) {
    guard !unreadable.contains(id) else { return }
    // Taken out, it grows in place.
    var all = tails.removeValue(forKey: id) ?? []
    all += bytes
    var offset = 0
    while let frame = all.withUnsafeBytes({ FrameDecoder.next(in: $0, from: offset, mode: .reading) }) {
      let number = isImported ? UInt64(items.count + 1) : 0
      items.append(item(frame, all[frame.start..<frame.end], number, topic, id, time))
      // Behind what is no frame none can be found.
      guard frame.hasEnd else { return giveUp(id) }
      offset = frame.end
    }
    all.removeFirst(offset)
    tails[id] = all
  }

  private func item(
    _ frame: Frame?,
    _ bytes: ArraySlice<UInt8>,
    _ number: UInt64,
    _ topic: String,
    _ id: ConnectionID,
    _ time: Timestamp
  ) -> Item {
    let (token, content) = parts(of: frame, bytes)
    return Item(
      number: number,
      connection: id,
      time: time - (start ?? time),
      topic: topic,
      identifier: frame.flatMap { $0.hasIdentifier ? $0.identifier : nil },
      token: token,
      command: frame?.command ?? bytes.first ?? 0,
      isFrame: frame?.hasEnd ?? true,
      outcome: nil,
      status: 0,
      content: content
    )
  }

  private func parts(of frame: Frame?, _ bytes: ArraySlice<UInt8>) -> (token: [UInt8], content: [UInt64]) {
    let start = bytes.startIndex - (frame?.start ?? 0)
    func part(_ range: Range<Int>?) -> ArraySlice<UInt8> {
      guard let range, range.lowerBound + start >= bytes.startIndex,
        range.upperBound + start <= bytes.endIndex
      else { return [] }
      return bytes[range.lowerBound + start..<range.upperBound + start]
    }
    let payload = frame == nil || frame?.form == .malformed ? nil : part(frame?.payload)
    return (Array(part(frame?.token)), content(of: payload, bytes))
  }

  private func content(of payload: ArraySlice<UInt8>?, _ bytes: ArraySlice<UInt8>) -> [UInt64] {
    guard isFilled else { return Self.hash(payload ?? bytes) }
    // Of what cannot be read redaction leaves the first byte and the length.
    guard let payload else { return [UInt64(bytes.first ?? 0), UInt64(bytes.count)] }
    return Self.hash(PayloadFiller.redact(Array(payload))[...])
  }

  /// 128 bits, so that two payloads are not taken for one.
  private static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
    var low: UInt64 = 0xCBF2_9CE4_8422_2325
    var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    for byte in bytes {
      low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      high = (high ^ UInt64(byte)) &* 0xBF58_476D_1CE4_E5B9
      high ^= high >> 29
    }
    return [low, high ^ UInt64(bytes.count)]
  }
}
