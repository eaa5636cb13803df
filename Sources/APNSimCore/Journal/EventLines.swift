import APNSimWire

// The members of the lines that several rows of the table of events, or long ones, are made of.

// MARK: Connections

extension JSONWriter {
  mutating func connection(_ id: ConnectionID) { member("connection", id.description) }

  mutating func connection(_ id: ConnectionID, _ key: StaticString, _ value: some FixedWidthInteger) {
    connection(id)
    member(key, value)
  }

  mutating func closing(
    _ id: ConnectionID,
    _ reason: ClosingReason,
    byService: Bool,
    _ counts: ConnectionCounts
  ) {
    connection(id)
    member("reason", reason.rawValue)
    if reason == .reset, byService { member("by", "service") }
    counts.writeMembers(to: &self)
  }

  mutating func closing(
    _ id: ConnectionID,
    _ reason: ClosingReason,
    _ device: String,
    delivered: UInt64,
    lost: UInt64
  ) {
    connection(id)
    member("reason", reason.rawValue)
    member("device", device)
    member("delivered", delivered)
    member("lost", lost)
  }

  mutating func refusal(_ listener: Listener, _ peer: String, _ reason: String, _ subject: String) {
    member("listener", listener.rawValue)
    member("peer", peer)
    member("reason", reason)
    member("subject", subject)
  }

  mutating func refusal(_ listener: Listener, _ opening: ConnectionOpening, _ reason: String) {
    refusal(listener, opening.peer, reason, opening.provider.subject)
    if let ordinal = opening.ordinal { member("ordinal", ordinal) }
    provider(opening.provider)
  }

  mutating func arrival(_ listener: Listener, _ ordinal: UInt32, _ delay: TimeSpan) {
    member("listener", listener.rawValue)
    member("ordinal", ordinal)
    if delay > .zero { member("acceptDelay", delay.description) }
  }

  mutating func judgement(
    _ listener: Listener,
    _ ordinal: UInt32,
    _ provider: ProviderIdentity,
    _ refusal: Fault.HandshakeRefusal?
  ) {
    member("listener", listener.rawValue)
    member("ordinal", ordinal)
    self.provider(provider)
    guard let refusal else { return }
    key("refusal")
    refusal.write(to: &self)
  }
}

// MARK: Commands

extension JSONWriter {
  mutating func command(_ command: Command, _ wall: Timestamp?) {
    key("do")
    command.write(to: &self)
    if let wall { member("wall", wall.description) }
  }

  mutating func expectation(_ text: String, _ isSatisfied: Bool, _ found: Int) {
    member("expects", text)
    member("ok", isSatisfied)
    member("found", found)
  }
}

// MARK: Bytes and answers

extension JSONWriter {
  mutating func transfer(_ id: ConnectionID, _ bytes: [UInt8], count: Int? = nil) {
    connection(id)
    member("bytes", base64: bytes)
    if let count { member("count", count) }
  }

  mutating func error(
    _ id: ConnectionID,
    _ response: ErrorResponse,
    _ notification: UInt64,
    _ byteCount: Int,
    isLost: Bool
  ) {
    connection(id)
    if notification > 0 { member("notification", "n\(notification)") }
    member("status", response.status.rawValue)
    member("name", response.status.name)
    member("identifier", response.identifier.hex)
    member("bytes", base64: isLost ? [] : response.bytes.prefix(byteCount))
    if isLost { member("lost", true) }
  }

  mutating func answer(_ id: ConnectionID, _ stream: UInt32, _ notification: UInt64) {
    connection(id)
    member("stream", stream)
    member("notification", "n\(notification)")
  }

  mutating func reset(_ id: ConnectionID, _ stream: UInt32, _ notification: UInt64, _ code: HTTP2Code) {
    answer(id, stream, notification)
    member("code", code.name)
    member("by", "provider")
  }

  mutating func malformation(_ id: ConnectionID, _ malformed: MalformedRequest) {
    connection(id)
    malformed.writeMembers(to: &self)
    member("by", "service")
  }

  mutating func resending(_ id: ConnectionID, _ reference: ProviderReference, _ notification: UInt64) {
    member("notification", "n\(notification)")
    member("discardedOn", id.description)
    member("discarded", reference.description)
  }

  mutating func fault(_ id: ConnectionID, _ name: String) {
    connection(id)
    member("fault", name)
  }

  mutating func fault(_ id: ConnectionID, _ name: String, _ stream: UInt32, _ frame: RequestFrame?) {
    fault(id, name)
    member("stream", stream)
    frame?.writeMembers(to: &self)
  }

  mutating func outcome(
    _ outcome: Outcome,
    _ number: UInt64,
    _ device: DeviceLabel,
    _ app: AppKey,
    _ detail: UInt64
  ) {
    member("notification", "n\(number)")
    member("device", device.description)
    self.app(app)
    if outcome == .replaced { member("by", "n\(detail)") }
    if outcome == .expired { member("because", detail == 1 ? "expiry" : "storagePeriod") }
  }
}

// MARK: Feedback and devices

extension JSONWriter {
  mutating func feedback(_ app: AppKey, _ tuple: FeedbackTuple, isScripted: Bool) {
    self.app(app)
    member("token", hex: tuple.token)
    member("timestamp", tuple.timestamp)
    member("scripted", isScripted)
  }

  mutating func reading(_ id: ConnectionID, _ app: AppKey, tuples: Int, _ bytes: [UInt8]) {
    connection(id)
    self.app(app)
    member("tuples", tuples)
    member("bytes", base64: bytes)
  }

  mutating func device(_ name: String, isOnline: Bool) {
    member("device", name)
    member("online", isOnline)
  }

  mutating func registration(_ device: String, _ app: AppKey, _ token: [UInt8], isIssued: Bool) {
    registration(device, app, token)
    member("issued", isIssued)
  }
}
