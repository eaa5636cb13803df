import APNSimWire

/// One notification, from script to settlement, whatever interface it came in by.
extension World {
  /// Rules on a submission: script, token, content, device.
  ///
  /// The record, begun with the bytes as sent, is told what came of it; putting it into the history is the door's,
  /// which may have an answer to note first.
  /// - Parameters:
  ///   - rules: the rules it can meet, in order, by their places in the book.
  ///   - place: its place on its connection, from 1.
  @inline(__always)
  mutating func rule(
    on judged: inout some JudgedSubmission,
    among rules: [Int],
    at place: UInt64,
    into record: inout NotificationRecord
  ) -> Ruling {
    let (submission, buffer) = (judged.submission, judged.buffer)
    var decision = Decision.proceed
    if mayBeScripted(submission, judged.reason, in: buffer, among: rules) {
      let (submission, reason) = (submission.pointee, judged.reason)
      decision = decide(on: submission, in: buffer, among: rules, at: place, reason: reason, into: &record)
    }
    if let fate = judged.fate(by: decision, ofRule: record.rule, in: &self) {
      conclude(submission.pointee, fate, in: buffer, &record)
      return Ruling(fate: fate, decision: decision)
    }
    record.failed = submission.pointee.failed
    if record.failed == .none { judged.resolveToken(by: decision, in: &self, &record) }
    if record.failed == .none { record.failed = submission.pointee.failedContent }
    guard record.failed == .none else {
      conclude(submission.pointee, .refused(record.failed), in: buffer, &record)
      return Ruling(fate: .refused(record.failed), decision: decision)
    }
    judged.settle(by: decision, in: &self, &record)
    return Ruling(fate: .accepted, decision: decision)
  }

  /// True where a script may decide. What is refused by itself meets only rules, which can ask for its reason.
  @inline(__always)
  private func mayBeScripted(
    _ submission: UnsafePointer<Submission>,
    _ reason: Reason?,
    in buffer: UnsafeRawBufferPointer,
    among rules: [Int]
  ) -> Bool {
    guard submission.pointee.failed == .none else { return reason != nil && !rules.isEmpty }
    return !rules.isEmpty || mayBeMagic(submission.pointee.token(in: buffer))
  }

  /// True for a token that begins as magic tokens do.
  @inline(__always)
  func mayBeMagic(_ token: UnsafeRawBufferPointer) -> Bool {
    configuration.magicTokens && token.count == DeviceToken.byteCount
      && MagicToken.mayBegin(token[0], token[1])
  }

  /// Notes what comes of a submission that reaches no device.
  @inline(never)
  private func conclude(
    _ submission: Submission,
    _ fate: Ruling.Fate,
    in buffer: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord
  ) {
    switch fate {
    case .accepted: break
    case .swallowed: record.outcome = .dropped
    case .refused(let check): record.failed = check
    case .discarded: record.outcome = .discarded
    }
    noteOwner(of: submission, in: buffer, into: &record)
  }

  /// Hands an accepted notification over to its device.
  @inline(__always)
  mutating func settle(
    _ submission: UnsafePointer<Submission>,
    _ decision: Decision,
    in buffer: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord,
    under identifier: [UInt8]? = nil,
    isRequest: Bool = false
  ) {
    var arrival = arrival(of: submission, decision, in: buffer, record)
    if isRequest { arrival.isRequest = true }
    let underwayBefore = underway.count
    (record.outcome, record.replaced) = settle(arrival, under: identifier)
    record.isUnderway = underway.count > underwayBefore
  }

  /// The facts of an accepted notification that store-and-forward needs.
  @inline(__always)
  private func arrival(
    of submission: UnsafePointer<Submission>,
    _ decision: Decision,
    in buffer: UnsafeRawBufferPointer,
    _ record: borrowing NotificationRecord
  ) -> Arrival {
    var arrival = Arrival(
      registration: record.registration,
      number: history.nextNumber,
      payload: submission.pointee.payload(in: buffer),
      position: record.evidence &+ UInt64(submission.pointee.fields.payloadStart),
      identifier: submission.pointee.fields.hasIdentifier ? submission.pointee.fields.identifier : nil,
      expiry: Expiry(submission.pointee.fields),
      badge: submission.pointee.verdict.facts.newBadge,
      isReadable: submission.pointee.verdict.isFine
        || submission.pointee.isReadable(in: buffer, by: configuration.rules)
    )
    if case .device(let magic) = decision { arrival.magic = magic }
    return arrival
  }
}
