internal import APNSimWire

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
