package import APNSimWire

/// A notification as people and programs look at it: everything its record and its frame say, written out.
package struct NotificationView: Sendable {
  package var number: UInt64
  package var seq: UInt64
  package var time: Timestamp
  package var connection: ConnectionID
  package var read: UInt32
  package var app: AppKey
  package var device: String?
  package var outcome: Outcome
  package var status: StatusCode
  package var explanations: [Explanation]
  /// The frame as it was sent; for one that was answered on a declared length, up to that length.
  package var frame: [UInt8]
  package var command: UInt8
  package var identifier: NotificationIdentifier?
  /// Seconds since 1970, read with the sign the edition gives it; nil when absent.
  package var expiry: Int64?
  /// 10 when absent, as the documents assume.
  package var priority: UInt8
  package var token: [UInt8]
  package var payload: [UInt8]
  /// The payload's length as declared, which may be more than arrived.
  package var payloadSize: Int

  /// `n57`.
  package var id: String { "n\(number)" }

  /// The number of an id: `n57` is 57; nil for a text that is none, or is written otherwise.
  package static func number(of id: String) -> UInt64? {
    guard let number = UInt64(id.dropFirst()), id == "n\(number)" else { return nil }
    return number
  }

  /// Writes the members of the notification object, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("connection", connection.description)
    writer.member("environment", app.environment.rawValue)
    writer.member("topic", app.topic)
    writer.member("token", hex: token)
    writer.member("device", device)
    writer.member("command", command)
    writer.member("identifier", identifier?.hex)
    writer.key("expiry")
    if let expiry { writer.int(expiry) } else { writer.null() }
    writer.member("priority", priority)
    writer.key("payload")
    writePayload(to: &writer)
    writer.member("payloadBase64", base64: payload)
    writer.member("payloadSize", payloadSize)
    writer.member("outcome", outcome.description)
    writer.member("status", status.rawValue)
    writer.key("explain")
    writer.beginArray()
    for explanation in explanations { explanation.write(to: &writer) }
    writer.endArray()
    writer.member("raw", base64: frame)
    if read > 0 {
      writer.member("read", read)
    }
  }

  /// The payload as JSON where it is JSON, null where it is not.
  private func writePayload(to writer: inout JSONWriter) {
    guard let value = try? JSONValue.parse(payload) else { return writer.null() }
    writer.value(value)
  }
}

extension Explanation {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("check", check)
    writer.member("ok", isPassed)
    if let detail {
      writer.member("detail", detail)
    }
    if let hint {
      writer.member("hint", hint)
    }
    writer.endObject()
  }
}

extension World {
  /// A notification of the history; the number must be there.
  func view(of number: UInt64) -> NotificationView {
    let record = history.notifications[number]
    let bytes = history.frame(of: record)
    let frame = frame(of: record, bytes)
    let key = apps[Int(record.app)].key
    let device =
      record.registration == Registration.none
      ? nil : devices.ownerName(of: record.registration)
    let script = decision(of: record, frame, in: bytes)
    let explainer = Explainer(
      record: record,
      frame: frame,
      bytes: bytes,
      configuration: configuration,
      topic: key.topic,
      environment: key.environment,
      ruleName: ruleName(of: record),
      device: device,
      script: script,
      isSwallowed: record.entry == .dropped && isSwallowed(record, script)
    )
    return NotificationView(
      number: number,
      seq: record.seq,
      time: record.time,
      connection: record.connection,
      read: record.read,
      app: key,
      device: device,
      outcome: record.outcome,
      status: StatusCode(rawValue: record.status),
      explanations: explainer.explanations,
      frame: Array(bytes),
      command: frame?.command ?? 0,
      identifier: frame.flatMap { $0.hasIdentifier ? $0.identifier : nil },
      expiry: frame.flatMap { expirySeconds($0) },
      priority: frame.map { $0.hasPriority ? $0.priority : 10 } ?? 10,
      token: frame.map { Array(bytes[$0.token]) } ?? [],
      payload: frame.map { Array(bytes[$0.payload]) } ?? [],
      payloadSize: Int(frame?.payloadLength ?? 0)
    )
  }

  /// The rule that decided, for people.
  func ruleName(of record: NotificationRecord) -> String {
    let index = Int(record.rule) - 1
    guard book.entries.indices.contains(index) else { return "" }
    let name = book.entries[index].rule.name
    return name.isEmpty ? "\(index + 1)" : "\"\(name)\""
  }

  /// Whether what a device did not get was swallowed, rather than unreadable.
  private func isSwallowed(_ record: NotificationRecord, _ script: Decision?) -> Bool {
    // Whatever has no problem, a device can read.
    if record.problem == .none { return true }
    return if case .swallow? = script { true } else { false }
  }

  func expirySeconds(_ frame: Frame) -> Int64? {
    guard frame.hasExpiry else { return nil }
    return configuration.edition == .guide
      ? Int64(Int32(bitPattern: frame.expiry)) : Int64(frame.expiry)
  }

  /// The frame of a record. Of one that was stopped early only the beginning is there, and it stops at the same place
  /// again, whatever token sizes are known by now.
  func frame(of record: NotificationRecord, _ bytes: UnsafeRawBufferPointer) -> Frame? {
    if let whole = FrameDecoder.next(in: bytes, from: 0, mode: .reading) { return whole }
    let sizes: TokenSizes = record.failed == .tokenSize ? [] : TokenSizes(1...TokenSizes.maximum)
    return FrameDecoder.next(in: bytes, from: 0, mode: .judging(configuration.frameLimits(tokenSizes: sizes)))
  }
}
