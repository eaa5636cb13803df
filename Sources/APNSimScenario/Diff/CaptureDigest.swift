package import APNSimCore
package import APNSimWire

/// What happened in a capture as its providers would tell it: which notifications, in which order on each connection,
/// and what became of them.
package struct CaptureDigest: Sendable {
  /// One notification.
  package struct Item: Sendable {
    /// `n57`, without its letter; counted where the capture has no numbers.
    package var number: UInt64
    package var connection: ConnectionID
    /// Since the capture's first line.
    package var time: TimeSpan
    package var topic: String
    package var identifier: NotificationIdentifier?
    package var token: [UInt8]
    /// What has become of it in the end; nil where the capture does not say.
    package var outcome: Outcome?
    package var status: UInt8
    /// A hash of the payload, or of a frame that cannot be read.
    var content: [UInt64]
  }

  /// An error response.
  package struct ErrorItem: Hashable, Sendable {
    package var topic: String
    package var status: UInt8
    package var identifier: NotificationIdentifier
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
  private var tails: [ConnectionID: [UInt8]] = [:]
  /// Connections of an imported capture on which something else than a frame came.
  private var unreadable: Set<ConnectionID> = []
  private var byNumber: [UInt64: Int] = [:]
  /// Notifications that were answered on their beginning, which is all that their line has; the rest follows by itself.
  private var unfinished: [ConnectionID: (index: Int, bytes: [UInt8])] = [:]

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
    byNumber = [:]
    (tails, unfinished, unreadable) = ([:], [:], [])
  }

  private mutating func add(_ entry: CaptureEntry, _ reader: CaptureReader) {
    start = start ?? entry.time
    switch entry.kind {
    case .connectionOpened(let connection):
      guard connection.listener == .gateway else { return }
      connections += 1
      topics[connection.id] = connection.provider.topic
    case .bytesIn(let id, let bytes, let dropped, let notification):
      guard let topic = topics[id], !broken.contains(id) else { return }
      if let notification {
        add(bytes, notification, topic, id, entry.time)
      } else if isImported {
        addStream(bytes, topic, id, entry.time)
        if dropped > 0 { broken.insert(id) }
      } else {
        finish(with: bytes, on: id)
      }
    case .bytesOut(let id, let bytes):
      guard let topic = topics[id], let response = ErrorResponse(bytes: bytes) else { return }
      errors.append(
        ErrorItem(topic: topic, status: response.status.rawValue, identifier: response.identifier)
      )
    case .bytesMissing(let id, .in, _): if topics[id] != nil { broken.insert(id) }
    case .connectionClosed(let id, _): (tails[id], unfinished[id]) = (nil, nil)
    case .other(let name):
      guard let outcome = Outcome(name) else { return }
      let number = reader.withLine { fields, _ in fields.number("notification", after: "n") }
      if let index = number.flatMap({ byNumber[$0] }) { items[index].outcome = outcome }
    case .bytesMissing, .command: break
    }
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
      // What redaction leaves of such a rest is no frame.
      if !isFilled { unfinished[id] = (items.count, bytes) }
    }
    items.append(item)
  }

  private mutating func finish(with bytes: [UInt8], on id: ConnectionID) {
    guard let (index, beginning) = unfinished.removeValue(forKey: id) else { return }
    let all = beginning + bytes
    guard let frame = all.withUnsafeBytes({ FrameDecoder.next(in: $0, from: 0, mode: .reading) }) else {
      return
    }
    (items[index].token, items[index].content) = parts(of: frame, all[..<frame.end])
  }

  /// The bytes of a connection of which nobody said where its frames begin.
  private mutating func addStream(_ bytes: [UInt8], _ topic: String, _ id: ConnectionID, _ time: Timestamp) {
    guard !unreadable.contains(id) else { return }
    let all = (tails[id] ?? []) + bytes
    var offset = 0
    while let frame = all.withUnsafeBytes({ FrameDecoder.next(in: $0, from: offset, mode: .reading) }) {
      items.append(item(frame, all[frame.start..<frame.end], UInt64(items.count + 1), topic, id, time))
      // Behind what is no frame none can be found.
      guard frame.hasEnd else {
        unreadable.insert(id)
        tails[id] = nil
        return
      }
      offset = frame.end
    }
    tails[id] = Array(all[offset...])
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
    return Self.hash(PayloadFiller.fill(Array(payload))[...])
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
