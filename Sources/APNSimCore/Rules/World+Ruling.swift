import APNSimWire

/// One notification, from script to settlement, whatever interface it came in by.
extension World {
  /// Rules on a submission: script, token, content, device.
  ///
  /// The record, begun with the bytes as sent, is told what came of it; putting it into the history is the door's,
  /// which may have an answer to note first.
  /// - Parameters:
  ///   - submission: its place, so that none of it is copied that nobody looks at.
  ///   - rules: the rules it can meet, in order, by their places in the book.
  ///   - place: its place on its connection, from 1.
  ///   - known: the registration its token means, where that was looked up ahead.
  @inline(__always)
  mutating func rule(
    on submission: UnsafePointer<Submission>,
    in buffer: UnsafeRawBufferPointer,
    among rules: [Int],
    at place: UInt64,
    known: UInt32?,
    into record: inout NotificationRecord
  ) -> Ruling {
    var decision = Decision.proceed
    if submission.pointee.failed == .none, !rules.isEmpty || mayBeMagic(submission.pointee.token(in: buffer))
    {
      decision = decide(on: submission.pointee, in: buffer, among: rules, at: place, into: &record)
    }
    var shutDown: Reply?
    switch decision {
    case .proceed, .device, .reason, .answer, .late, .request: break
    // A shutdown lets the notification that triggers it through: its identifier is the one that the answer names.
    case .reply(let reply) where reply.status == .shutdown: shutDown = reply
    case .reply(let reply):
      refuse(submission.pointee, .rule, in: buffer, &record)
      return .scripted(reply)
    case .end(let ending):
      refuse(submission.pointee, .rule, in: buffer, &record)
      return .ended(ending)
    case .swallow:
      record.outcome = .dropped
      noteOwner(of: submission.pointee, in: buffer, into: &record)
      return .swallowed
    }
    if submission.pointee.failed == .none {
      let isOnline = if case .device(let magic) = decision { magic.kind != .offline } else { true }
      resolveToken(of: submission, known, isOnline: isOnline, in: buffer, into: &record)
    }
    if record.failed == .none { record.failed = submission.pointee.failedContent }
    guard record.failed == .none else {
      refuse(submission.pointee, record.failed, in: buffer, &record)
      let delay =
        if case .device(let magic) = decision, magic.kind == .react { magic.span } else { TimeSpan.zero }
      return .refused(record.failed, after: delay)
    }
    settle(submission, decision, in: buffer, &record)
    return if let shutDown { .shutDown(shutDown) } else { .accepted }
  }

  /// True for a token that begins as magic tokens do.
  @inline(__always)
  func mayBeMagic(_ token: UnsafeRawBufferPointer) -> Bool {
    configuration.magicTokens && token.count == DeviceToken.byteCount
      && MagicToken.mayBegin(token[0], token[1])
  }

  @inline(never)
  private func refuse(
    _ submission: Submission,
    _ check: Check,
    in buffer: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord
  ) {
    record.failed = check
    noteOwner(of: submission, in: buffer, into: &record)
  }

  /// A request's notification is accepted. Out of line, so that the other door keeps what it shares with it in line:
  /// with two callers it is a function, and frames cost 50 instructions more.
  @inline(never)
  mutating func settleRequest(
    _ submission: UnsafePointer<Submission>,
    _ decision: Decision,
    in buffer: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord
  ) {
    let arrival = arrival(of: submission, decision, in: buffer, record)
    let underwayBefore = underway.count
    if let identifier = collapseIdentifier(of: submission.pointee.bytes(in: buffer)) {
      if devices.registrations[record.registration].flags.contains(.disowned) {
        noteSentToListed(record.registration)
      }
      (record.outcome, record.replaced) = handOver(arrival, under: identifier)
    } else {
      (record.outcome, record.replaced) = settle(arrival)
    }
    record.isUnderway = underway.count > underwayBefore
  }

  /// The collapse identifier under which a request's notification waits; nil where it waits as its app's last one.
  private func collapseIdentifier(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard configuration.storedPerApp == .collapseId, let evidence = RequestEvidence(bytes) else { return nil }
    let identifier = evidence.request.collapseId.bytes(in: evidence.bytes)
    return identifier.isEmpty ? nil : Array(identifier)
  }

  /// The notification is accepted.
  @inline(__always)
  private mutating func settle(
    _ submission: UnsafePointer<Submission>,
    _ decision: Decision,
    in buffer: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord
  ) {
    let arrival = arrival(of: submission, decision, in: buffer, record)
    let underwayBefore = underway.count
    (record.outcome, record.replaced) = settle(arrival)
    record.isUnderway = underway.count > underwayBefore
  }

  /// What store-and-forward needs to know of an accepted notification.
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
      isReadable: submission.pointee.verdict.isFine || submission.pointee.isReadable(in: buffer)
    )
    if case .device(let magic) = decision { arrival.magic = magic }
    return arrival
  }
}
