import APNSimWire

extension World {
  /// A notification of the history; the number must be there.
  func view(of number: UInt64) -> NotificationView {
    guard let preceding = precedingNotification(of: number) else {
      return view(of: number, afterPreceding: nil)
    }
    let hint = view(of: preceding, afterPreceding: nil).hintAboutBytesAfter(named: "n\(preceding)")
    return view(of: number, afterPreceding: hint)
  }

  private func view(of number: UInt64, afterPreceding: String?) -> NotificationView {
    let record = history.notifications[number]
    let bytes = history.evidence(of: record)
    let fields = record.fields
    let (token, payload) = (fields.token(in: bytes), fields.payload(in: bytes))
    let key = apps[record.app].key
    let device =
      record.registration == Registration.none
      ? nil : devices.ownerName(of: record.registration)
    let script = book.decision(on: record, token: token)
    let explainer = Explainer(
      record: record,
      evidence: bytes,
      token: token,
      payload: payload,
      configuration: configuration,
      topic: key.topic,
      environment: key.environment,
      firstSights: firstSights,
      ruleName: ruleName(of: record),
      device: device,
      script: script,
      isSwallowed: record.entry == .dropped && isSwallowed(record, script),
      afterPreceding: afterPreceding,
      connection: record.entry == .discarded ? connections.gateway(record.connection) : nil,
      surroundings: surroundings(of: record, token)
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
    if let reason = activities.reason(of: number) {
      view.explanations.append(Explanation(check: "activity", isPassed: false, detail: reason, hint: nil))
    }
    if case .http2 = record.interface, let evidence = RequestEvidence(bytes) {
      let isAnswered = connections[record.connection]?.http2?.isWithoutAnswer(number) != true
      view.request = RequestView(
        evidence,
        status: isAnswered ? RequestStatus(record) : nil,
        setup.requestRules
      )
      view.payloadSize = evidence.bodyByteCount
    }
    return view
  }

  /// The surroundings that tell why a request was refused; none of one that was accepted.
  private func surroundings(of record: NotificationRecord, _ token: UnsafeRawBufferPointer)
    -> RequestSurroundings
  {
    var surroundings = RequestSurroundings()
    if record.tokenFault == .otherApp {
      for place in apps.places where place != record.app && devices.find(app: place, token: token) != nil {
        surroundings.owners.append(apps[place].key)
      }
    }
    guard case .http2 = record.interface, record.entry == .rejected else { return surroundings }
    surroundings.provider = connections[record.connection]?.http2?.opening.provider
    surroundings.team = setup.scenario.teams[apps[record.app].key.bundleId]
    return surroundings
  }

  /// The notification before one with an unknown command on its connection; nil where there is none, or where it has
  /// made room for too many others.
  private func precedingNotification(of number: UInt64) -> UInt64? {
    let record = history.notifications[number]
    guard record.failed == .command else { return nil }
    let first = max(history.notifications.first, number - min(number, 1024))
    return (first..<max(first, number)).last { history.notifications[$0].connection == record.connection }
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
    // Of requests, some are accepted and go to nobody without a script.
    if record.interface == .http2, record.rule == 0, !record.magic { return false }
    // A payload without a problem can be read by any device.
    if record.problem == .none { return true }
    return if case .swallow? = script { true } else { false }
  }
}

extension NotificationView {
  /// True for bytes that begin with a byte that is no command of any version.
  package var hasUnknownCommand: Bool {
    explanations.last?.check == Check.command.name
      && interface.command.map { !CommandSet.all.contains(command: $0) } == true
  }

  /// The hint about bytes that follow this notification on its connection and begin no other: the lengths in it are
  /// wrong.
  /// - Parameter name: the notification's name there.
  package func hintAboutBytesAfter(named name: String) -> String {
    let cause = explanations.first { $0.check == Check.payload.name }?.hint
    guard let cause, cause != Explainer.anyPayload else {
      return "a wrong length in \(name), the notification before it, shifts everything after it"
    }
    return "\(name) before it shifts everything after it: \(cause)"
  }
}
