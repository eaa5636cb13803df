import APNSimCore
import APNSimWire

/// The notifications of a digest: those with verdicts, and the frames in bytes without verdicts.
extension DigestReading {
  mutating func add(
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
    // After a frame that is inconsistent, redaction leaves nothing.
    if !frame.hasEnd || digest.isFilled && frame.form == .malformed { giveUp(id) }
  }

  mutating func finish(with bytes: [UInt8], _ topic: UInt32, _ id: ConnectionID, _ time: Timestamp) {
    // Taken out, it grows in place.
    guard var begun = unfinished.removeValue(forKey: id) else { return }
    begun.bytes += bytes
    let place = begun.place
    let found = begun.bytes.withUnsafeBytes { bytes -> Frame? in
      guard let frame = FrameDecoder.next(in: bytes, from: 0, mode: .reading) else { return nil }
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<frame.end])
      let (token, content) = parts(of: frame, whole)
      (digest.items.entries[place].token, digest.items.entries[place].content) = (token, content)
      return frame
    }
    digest.items.entries[place].isCutOff = found == nil
    guard let frame = found else {
      unfinished[id] = begun
      return
    }
    if frame.hasIdentifier { digest.items.entries[place].identify(frame.identifier) }
    guard frame.hasEnd else { return giveUp(id) }
    if frame.end < begun.bytes.count { addStream(Array(begun.bytes[frame.end...]), topic, id, time) }
  }

  /// Ends a connection; an incomplete frame counts as far as it came.
  mutating func endFrames(of id: ConnectionID, at time: Timestamp?) {
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

  /// Takes the bytes of a connection without the boundaries of its frames: a journal has such bytes where the gateway
  /// found no frame either.
  mutating func addStream(_ bytes: [UInt8], _ topic: UInt32, _ id: ConnectionID, _ time: Timestamp) {
    guard !unreadable.contains(id) else { return }
    // Taken out, it grows in place.
    var all = tails.removeValue(forKey: id) ?? []
    all += bytes
    var hasEnd = true
    let offset = all.withUnsafeBytes { bytes in
      var offset = 0
      while hasEnd, let frame = FrameDecoder.next(in: bytes, from: offset, mode: .reading) {
        // Bytes that redaction has blotted out were not written by a provider.
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
        // A gateway that had read it would have recorded a verdict.
        if !digest.isImported { digest.items.entries[digest.items.count - 1].outcome = .discarded }
        (offset, hasEnd) = (frame.end, frame.hasEnd)
      }
      return offset
    }
    // After bytes that are no frame, none can be found.
    guard hasEnd else { return giveUp(id) }
    all.removeFirst(offset)
    tails[id] = all
  }

  /// - Parameter bytes: the frame's bytes.
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

  /// The number of a frame's token, and the fingerprint of the rest.
  private mutating func parts(
    of frame: Frame?,
    _ bytes: UnsafeRawBufferPointer
  ) -> (token: UInt32, content: Fingerprint) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    func part(_ range: Range<Int>?) -> UnsafeRawBufferPointer {
      guard let range, range.upperBound <= bytes.count else { return nothing }
      return UnsafeRawBufferPointer(rebasing: bytes[range])
    }
    let payload = frame == nil || frame?.form == .malformed ? nil : part(frame?.fields.payload)
    return (
      UInt32(truncatingIfNeeded: digest.items.tokens.number(of: part(frame?.fields.token))),
      content(of: payload, bytes)
    )
  }

  private func content(of payload: UnsafeRawBufferPointer?, _ bytes: UnsafeRawBufferPointer) -> Fingerprint {
    guard digest.isFilled else { return Fingerprint(of: payload ?? bytes) }
    // Of unreadable bytes redaction leaves the first byte and the length.
    guard let payload else { return Fingerprint(low: UInt64(bytes.first ?? 0), high: UInt64(bytes.count)) }
    return PayloadFiller.redact(Array(payload)).withUnsafeBytes { Fingerprint(of: $0) }
  }
}

extension DigestItems.Entry {
  fileprivate mutating func identify(_ identifier: NotificationIdentifier) {
    (self.identifier, hasIdentifier) = (identifier.rawValue, true)
  }
}
