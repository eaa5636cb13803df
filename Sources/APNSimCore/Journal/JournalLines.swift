internal import APNSimWire

/// Renders records and events as the lines of a journal file: one JSON object a line, keys in a fixed order.
struct JournalLines {
  private var writer = JSONWriter()

  var bytes: [UInt8] { writer.bytes }

  mutating func removeAll() { writer.removeAll() }

  /// A notification as it came in, and its outcome as the event that followed at once.
  mutating func append(_ view: NotificationView) {
    begin(view.seq, view.time, "notification")
    view.writeMembers(to: &writer)
    end()
    guard view.outcome.isAccepted else { return }
    begin(view.seq + 1, view.time, view.outcome.description)
    writer.key("notification")
    writer.string(view.id)
    if let device = view.device {
      writer.key("device")
      writer.string(device)
    }
    write(view.app)
    end()
  }

  mutating func append(_ record: EventRecord) {
    begin(record.seq, record.time, record.event.name)
    write(record.event)
    end()
  }

  private mutating func begin(_ seq: UInt64, _ time: Timestamp, _ event: String) {
    writer.beginObject()
    writer.key("seq")
    writer.int(seq)
    writer.key("time")
    writer.string(time.description)
    writer.key("event")
    writer.string(event)
  }

  private mutating func end() {
    writer.endObject()
    writer.newline()
  }

  private mutating func write(_ app: AppKey) {
    writer.key("topic")
    writer.string(app.topic)
    writer.key("environment")
    writer.string(app.environment.rawValue)
  }

  private mutating func write(_ event: Event) {
    switch event {
    case .connectionOpened(let id, let listener, let opening): write(id, listener, opening)
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

  private mutating func write(_ id: ConnectionID, _ listener: Listener, _ opening: ConnectionOpening) {
    field("connection", id.description)
    field("listener", listener.rawValue)
    field("peer", opening.peer)
    writer.key("provider")
    writer.beginObject()
    opening.provider.writeMembers(to: &writer)
    writer.endObject()
    writer.key("tls")
    writer.beginObject()
    field("version", opening.tlsVersion)
    field("cipher", opening.cipher)
    writer.endObject()
  }

  private mutating func write(_ id: ConnectionID, _ opening: DeviceOpening) {
    field("connection", id.description)
    field("listener", Listener.device.rawValue)
    field("peer", opening.peer)
    field("device", opening.device)
    field("subject", opening.subject)
    writer.key("tls")
    writer.beginObject()
    field("version", opening.tlsVersion)
    field("cipher", opening.cipher)
    writer.endObject()
  }

  private mutating func write(_ device: String, _ app: AppKey, _ token: [UInt8]) {
    field("device", device)
    write(app)
    writer.key("token")
    writer.hex(token)
  }

  private mutating func write(_ counts: ConnectionCounts) {
    writer.key("received")
    writer.int(counts.received)
    writer.key("accepted")
    writer.int(counts.accepted)
    writer.key("rejected")
    writer.int(counts.rejected)
    writer.key("discarded")
    writer.int(counts.discarded)
  }

  private mutating func write(_ change: ClockChange) {
    switch change {
    case .advanced(let span): field("advancedBy", span.description)
    case .set(let moment): field("setTo", moment.description)
    case .frozen: field("clock", "frozen")
    case .resumed: field("clock", "running")
    }
  }

  private mutating func field(_ name: StaticString, _ value: String) {
    writer.key(name)
    writer.string(value)
  }
}
