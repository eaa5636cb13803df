internal import APNSimWire

/// Renders records and events as the lines of a journal: one JSON object a line, keys in a fixed order.
///
/// A notification's line is written straight from its record and frame, without strings or allocations in between.
/// It says the facts and has the frame itself; what can be derived from them is not in it. docs/journal.md has the
/// format.
final class JournalLines {
  private let output = LineBuffer()
  private var writer = JSONWriter()
  /// The app whose topic was written last, and its member.
  private var app: UInt16?
  private var topicName = ""
  private var topic: [UInt8] = []

  /// What has been rendered, until something is done with this.
  var bytes: UnsafeRawBufferPointer { output.bytes }

  func removeAll() { output.removeAll() }

  /// A notification as it came in, with what became of it at once.
  func append(
    _ record: NotificationRecord,
    number: UInt64,
    frame: UnsafeRawBufferPointer,
    app: UInt16,
    topic name: String,
    device: String?
  ) {
    if app != self.app || name != topicName {
      writer.removeAll()
      writer.string(name)
      (self.app, topicName, topic) = (app, name, writer.bytes)
      writer.removeAll()
    }
    output.reserve(640 + topic.count + frame.count / 3 * 4)
    output.put("{\"seq\":")
    output.put(decimal: record.seq)
    output.put(",\"time\":\"")
    output.put(record.time)
    output.put("\",\"event\":\"notification\",\"id\":\"n")
    output.put(decimal: number)
    output.put("\",\"connection\":\"c")
    output.put(decimal: UInt64(record.connection.rawValue))
    output.put("\"")
    if record.read > 0 {
      output.put(",\"read\":")
      output.put(decimal: UInt64(record.read))
    }
    output.put(",\"topic\":")
    topic.withUnsafeBytes { output.put($0) }
    putFields(of: frame)
    if let device { put("device", device) }
    output.put(",\"outcome\":\"")
    output.put(record.entry.name)
    output.put("\"")
    if record.entry == .rejected || record.rule > 0 || record.magic { putReason(record) }
    if record.replaced > 0 {
      output.put(",\"replaced\":\"n")
      output.put(decimal: record.replaced)
      output.put("\"")
    }
    output.put(",\"raw\":\"")
    output.put(base64: frame)
    output.put("\"}\n")
  }

  /// Token, command and identifier, from where the layout has them.
  @inline(__always)
  private func putFields(of bytes: UnsafeRawBufferPointer) {
    guard let frame = FrameDecoder.next(in: bytes, from: 0, mode: .reading) else {
      return putFields(ofBeginning: bytes)
    }
    put(
      command: frame.command,
      identifier: frame.hasIdentifier ? frame.identifier.rawValue : nil,
      token: Int(frame.tokenLength) <= TokenSizes.maximum
        ? UnsafeRawBufferPointer(rebasing: bytes[frame.token]) : nil
    )
  }

  /// A frame that was answered on a declared length: what stands before that.
  private func putFields(ofBeginning bytes: UnsafeRawBufferPointer) {
    guard let command = bytes.first else { return }
    var identifier: UInt32?
    if command == 1, bytes.count >= 5 {
      identifier = bytes[1..<5].reduce(0) { $0 << 8 | UInt32($1) }
    }
    put(command: command, identifier: identifier, token: nil)
  }

  @inline(__always)
  private func put(command: UInt8, identifier: UInt32?, token: UnsafeRawBufferPointer?) {
    if let token, token.count > 0 {
      output.put(",\"token\":\"")
      output.put(hex: token)
      output.put("\"")
    }
    output.put(",\"command\":")
    output.put(decimal: UInt64(command))
    if let identifier {
      output.put(",\"identifier\":\"")
      withUnsafeBytes(of: identifier.bigEndian) { output.put(hex: $0) }
      output.put("\"")
    }
  }

  /// Who or what decided.
  private func putReason(_ record: NotificationRecord) {
    if record.status > 0 {
      output.put(",\"status\":")
      output.put(decimal: UInt64(record.status))
    }
    if record.failed != .none, record.failed != .rule { put("check", record.failed.name) }
    if record.rule > 0 {
      output.put(",\"rule\":")
      output.put(decimal: UInt64(record.rule))
    }
    if record.magic { output.put(",\"magic\":true") }
  }

  private func put(_ key: StaticString, _ value: String) {
    writer.removeAll()
    writer.string(value)
    output.reserve(64 + writer.bytes.count)
    output.put(",\"")
    output.put(key)
    output.put("\":")
    writer.bytes.withUnsafeBytes { output.put($0) }
    writer.removeAll()
  }

  func append(_ record: EventRecord) {
    writer.removeAll()
    writer.beginObject()
    writer.key("seq")
    writer.int(record.seq)
    writer.key("time")
    writer.string(record.time.description)
    writer.key("event")
    writer.string(record.event.name)
    write(record.event, at: record.time)
    writer.endObject()
    writer.newline()
    output.reserve(writer.bytes.count)
    writer.bytes.withUnsafeBytes { output.put($0) }
    writer.removeAll()
  }

  private func write(_ app: AppKey) { app.writeMembers(to: &writer) }

  private func write(_ event: Event, at time: Timestamp) {
    switch event {
    case .connectionOpened(let id, let listener, let ordinal, let opening):
      write(id, listener, ordinal, opening)
    case .connectionClosed(let id, let reason, let counts):
      field("connection", id.description)
      field("reason", reason.rawValue)
      write(counts)
    case .deviceConnected(let id, let opening): write(id, opening)
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      field("connection", id.description)
      field("reason", reason.rawValue)
      field("device", device)
      writer.key("delivered")
      writer.int(delivered)
      writer.key("lost")
      writer.int(lost)
    case .connectionRefused(let listener, let peer, let reason, let subject):
      field("listener", listener.rawValue)
      field("peer", peer)
      field("reason", reason)
      field("subject", subject)
    case .connectionTurnedAway(let listener, let opening, let reason):
      field("listener", listener.rawValue)
      field("peer", opening.peer)
      field("reason", reason)
      field("subject", opening.provider.subject)
      if let ordinal = opening.ordinal {
        writer.key("ordinal")
        writer.int(ordinal)
      }
      write(opening.provider)
    case .connectionArrived(let listener, let ordinal, let delay):
      field("listener", listener.rawValue)
      writer.key("ordinal")
      writer.int(ordinal)
      if delay > .zero { field("acceptDelay", delay.description) }
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      field("listener", listener.rawValue)
      writer.key("ordinal")
      writer.int(ordinal)
      write(provider)
      if let refusal {
        writer.key("refusal")
        refusal.write(to: &writer)
      }
    case .inputEnded(let id), .shutdown(let id): field("connection", id.description)
    case .linesSent(let id, let count):
      field("connection", id.description)
      writer.key("count")
      writer.int(count)
    case .deviceSilent(let id, let seconds):
      field("connection", id.description)
      writer.key("seconds")
      writer.int(seconds)
    case .command(let command, let wall):
      writer.key("do")
      command.write(to: &writer)
      if let wall, wall != time { field("wall", wall.description) }
    case .commandFailed(let reason): field("reason", reason)
    case .bytesIn(let id, let bytes, let count):
      field("connection", id.description)
      writer.key("bytes")
      writer.base64(bytes)
      writer.key("count")
      writer.int(count)
    case .bytesOut(let id, let bytes):
      field("connection", id.description)
      writer.key("bytes")
      writer.base64(bytes)
    case .errorSent(let id, let response, let notification, let byteCount, let isLost):
      field("connection", id.description)
      if notification > 0 { field("notification", "n\(notification)") }
      writer.key("status")
      writer.int(response.status.rawValue)
      field("name", response.status.name)
      field("identifier", response.identifier.hex)
      writer.key("bytes")
      writer.base64(isLost ? [] : response.bytes.prefix(byteCount))
      if isLost {
        writer.key("lost")
        writer.bool(true)
      }
    case .resent(let id, let reference, let notification):
      field("notification", "n\(notification)")
      field("discardedOn", id.description)
      field("discarded", reference.description)
    case .faultFired(let id, let name):
      field("connection", id.description)
      field("fault", name)
    case .outcome(let outcome, let number, let device, let app, let detail):
      field("notification", "n\(number)")
      field("device", device)
      write(app)
      if outcome == .replaced { field("by", "n\(detail)") }
      if outcome == .expired { field("because", detail == 1 ? "expiry" : "storagePeriod") }
    case .feedbackAdded(let app, let tuple, let isScripted):
      write(app)
      writer.key("token")
      writer.hex(tuple.token)
      writer.key("timestamp")
      writer.int(tuple.timestamp)
      writer.key("scripted")
      writer.bool(isScripted)
    case .feedbackRead(let id, let app, let tuples, let bytes):
      field("connection", id.description)
      write(app)
      writer.key("tuples")
      writer.int(tuples)
      writer.key("bytes")
      writer.base64(bytes)
    case .feedbackCleared(let app):
      if let app { write(app) }
    case .deviceAdded(let name, let isOnline):
      field("device", name)
      writer.key("online")
      writer.bool(isOnline)
    case .deviceRemoved(let name), .deviceOnline(let name), .deviceOffline(let name): field("device", name)
    case .appInstalled(let device, let app, let token, let isIssued):
      write(device, app, token)
      writer.key("issued")
      writer.bool(isIssued)
    case .appUninstalled(let device, let app, let token), .appRemoved(let device, let app, let token):
      write(device, app, token)
    case .clockChanged(let change): write(change)
    case .historyCleared: break
    case .timelineFailed(let reason): field("reason", reason)
    case .expectation(let text, let isSatisfied, let found):
      field("expects", text)
      writer.key("ok")
      writer.bool(isSatisfied)
      writer.key("found")
      writer.int(found)
    }
  }

  private func write(
    _ id: ConnectionID,
    _ listener: Listener,
    _ ordinal: UInt32,
    _ opening: ConnectionOpening
  ) {
    field("connection", id.description)
    writer.key("ordinal")
    writer.int(ordinal)
    field("listener", listener.rawValue)
    field("peer", opening.peer)
    write(opening.provider)
    writer.key("tls")
    writer.beginObject()
    field("version", opening.tlsVersion)
    field("cipher", opening.cipher)
    writer.endObject()
  }

  private func write(_ provider: ProviderIdentity) {
    writer.key("provider")
    writer.beginObject()
    provider.writeMembers(to: &writer)
    writer.endObject()
  }

  private func write(_ id: ConnectionID, _ opening: DeviceOpening) {
    field("connection", id.description)
    field("listener", Listener.device.rawValue)
    field("peer", opening.peer)
    field("device", opening.device)
    field("subject", opening.subject)
    field("environment", opening.environment.rawValue)
    writer.key("tls")
    writer.beginObject()
    field("version", opening.tlsVersion)
    field("cipher", opening.cipher)
    writer.endObject()
  }

  private func write(_ device: String, _ app: AppKey, _ token: [UInt8]) {
    field("device", device)
    write(app)
    writer.key("token")
    writer.hex(token)
  }

  private func write(_ counts: ConnectionCounts) { counts.writeMembers(to: &writer) }

  private func write(_ change: ClockChange) {
    switch change {
    case .advanced(let span): field("advancedBy", span.description)
    case .set(let moment): field("setTo", moment.description)
    case .frozen: field("clock", "frozen")
    case .resumed: field("clock", "running")
    }
  }

  private func field(_ name: StaticString, _ value: String) {
    writer.key(name)
    writer.string(value)
  }
}
