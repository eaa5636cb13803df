import APNSimWire

extension World {
  /// A notification of the history; the number must be there.
  func view(of number: UInt64) -> NotificationView {
    let record = history.notifications[number]
    let bytes = history.evidence(of: record)
    let fields = record.fields
    let (token, payload) = (fields.token(in: bytes), fields.payload(in: bytes))
    let key = apps[record.app].key
    let device =
      record.registration == Registration.none
      ? nil : devices.ownerName(of: record.registration)
    let script = decision(on: record, token: token)
    let explainer = Explainer(
      record: record,
      evidence: bytes,
      token: token,
      payload: payload,
      configuration: configuration,
      topic: key.topic,
      environment: key.environment,
      ruleName: ruleName(of: record),
      device: device,
      script: script,
      isSwallowed: record.entry == .dropped && isSwallowed(record, script)
    )
    var view = NotificationView(
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
      evidence: Array(bytes),
      interface: record.interface,
      identifier: fields.hasIdentifier ? fields.identifier : nil,
      expiry: fields.hasExpiry ? fields.expiry : nil,
      priority: fields.hasPriority ? fields.priority : 10,
      token: Array(token),
      payload: Array(payload),
      payloadSize: Int(fields.payloadLength)
    )
    if case .http2 = record.interface, let evidence = RequestEvidence(bytes) {
      let isAnswered = connections[record.connection]?.http2?.isWaiting(for: number) != true
      view.request = RequestView(
        evidence,
        status: isAnswered ? RequestStatus(record.status) : nil,
        requestRules
      )
      view.payloadSize = evidence.bodyByteCount
    }
    return view
  }

  /// The rule that decided, for people.
  func ruleName(of record: NotificationRecord) -> String {
    let index = Int(record.rule) - 1
    guard book.entries.indices.contains(index) else { return "" }
    let name = book.entries[index].rule.name
    return name.isEmpty ? "\(index + 1)" : "\"\(name)\""
  }

  /// True for a notification that a device did not get because it was swallowed, not because it was unreadable.
  private func isSwallowed(_ record: NotificationRecord, _ script: Decision?) -> Bool {
    // Whatever has no problem, a device can read.
    if record.problem == .none { return true }
    return if case .swallow? = script { true } else { false }
  }
}
