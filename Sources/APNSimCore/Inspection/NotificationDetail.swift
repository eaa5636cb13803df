package import APNSimWire

/// The details of one notification beside what lists have of it: how it was written, judged, answered and shown.
package struct NotificationDetail: Sendable {
  package var view: NotificationView
  /// The presentation to its user, or the one that would have been; nil for a payload that a device cannot read.
  package var presentation: Presentation?
  /// The parts of a frame as it was sent; for a request those of its payload.
  package var fields: [AnnotatedHex.Field] = []
  package var cause: Cause?
  package var answer: Answer?
  /// The body of a request as far as it was kept; nil for a frame.
  package var body: [UInt8]?

  /// The script that decided about it.
  package enum Cause: Hashable, Sendable {
    /// A rule by its id, with its name, as rules are written.
    case rule(id: String, name: String, text: String)
    case magicToken(MagicToken)
  }

  /// The answer to it, as far as it is known by its own event.
  package struct Answer: Hashable, Sendable {
    /// The time from the notification to its answer.
    var after: TimeSpan
    /// The error response of the binary interface, or as many of its bytes as were sent.
    var bytes: [UInt8]?
    /// A reset took it.
    var isLost = false
  }
}

extension Simulator {
  /// All that is known of a notification, if the history still has it.
  package func detail(of number: UInt64) -> NotificationDetail? {
    let found = withWorld { world -> (NotificationDetail, PresentationContext)? in
      guard world.history.notifications.contains(number) else { return nil }
      return (world.detail(of: number), world.presentationContext(of: world.history.notifications[number]))
    }
    guard let found else { return nil }
    var detail = found.0
    // Made outside the lock: strings files make much of a small payload.
    detail.presentation = found.1.presentation(of: detail.view.payload)
    return detail
  }
}

extension World {
  /// The context in which a notification is, or would be, shown.
  fileprivate func presentationContext(of record: NotificationRecord) -> PresentationContext {
    guard record.registration == Registration.none else {
      return presentationContext(of: record.registration)
    }
    let bundle = setup.scenario.bundles[apps[record.app].key] ?? AppBundle()
    return PresentationContext(bundle: bundle, languages: [], badgeAbsent: configuration.badgeAbsent)
  }

  fileprivate func detail(of number: UInt64) -> NotificationDetail {
    let record = history.notifications[number]
    let evidence = history.evidence(of: record)
    var detail = NotificationDetail(view: view(of: number))
    detail.cause = cause(of: record, token: record.fields.token(in: evidence))
    detail.answer = answer(to: number, record)
    if case .http2 = record.interface { detail.body = RequestEvidence(evidence).map { Array($0.body) } }
    return detail
  }

  private func cause(of record: NotificationRecord, token: UnsafeRawBufferPointer) -> NotificationDetail
    .Cause?
  {
    let index = Int(record.rule) - 1
    if book.entries.indices.contains(index) {
      let rule = book.entries[index].rule
      var writer = JSONWriter()
      rule.write(to: &writer)
      return .rule(
        id: RuleBook.id(of: index),
        name: rule.name,
        text: String(decoding: writer.bytes, as: UTF8.self)
      )
    }
    return record.magic ? MagicToken(token).map { .magicToken($0) } : nil
  }

  /// The answer that has an event of its own: an error response, or one that left later.
  private func answer(to number: UInt64, _ record: NotificationRecord) -> NotificationDetail.Answer? {
    let isRequest = if case .http2 = record.interface { true } else { false }
    guard isRequest ? record.isAnswerLater : record.entry == .rejected else { return nil }
    for index in history.firstEvent(from: record.seq)..<history.endEvent {
      let event = history.event(index)
      switch event.event {
      case .errorSent(_, let response, number, let count, let isLost):
        return .init(
          after: event.time - record.time,
          bytes: isLost ? [] : Array(response.bytes.prefix(count)),
          isLost: isLost
        )
      case .answered(_, _, number): return .init(after: event.time - record.time)
      default: continue
      }
    }
    return nil
  }
}
