import APNSimCore
import APNSimWire

/// The requests of a digest, with their answers.
extension DigestReading {
  /// Takes a request: with its verdict from a simulator's journal, or as an import has it.
  mutating func add(
    request evidence: [UInt8],
    _ notification: CapturedNotification?,
    on id: ConnectionID,
    at time: Timestamp
  ) {
    // Of a redacted header list only the shape can be compared.
    let shown = digest.isFilled ? RequestRedactor.outline(evidence) : evidence
    guard let request = CapturedRequest(evidence: shown) else { return }
    let answer = notification == nil ? nil : StreamOutcome(recordedAnswer)
    let item = RequestItem.of(request, answer: answer)
    let place = digest.items.entries.count
    digest.items.requests.append(RequestEntry(item, &digest.items.words))
    if item.answer == nil { unanswered[id, default: [:]][item.stream] = place }
    let (token, topic, content) = shown.withUnsafeBytes { parts(of: $0, item) }
    digest.items.entries.append(
      DigestItems.Entry(
        number: notification?.number ?? UInt64(place + 1),
        time: time - (start ?? time),
        content: content,
        connection: id,
        identifier: 0,
        hasIdentifier: false,
        command: 0,
        priority: 0,
        expiry: 0,
        hasExpiry: false,
        isFrame: true,
        isWhole: true,
        status: notification?.status ?? 0,
        outcome: notification?.outcome,
        topic: topic,
        token: token,
        isCutOff: false,
        request: UInt32(truncatingIfNeeded: digest.items.requests.count)
      )
    )
    if let notification, notification.outcome == .stored { stored[notification.number] = place }
  }

  /// Takes what the capture tells of the streams beside their requests.
  mutating func add(_ happening: StreamHappening, on id: ConnectionID, at time: Timestamp) {
    switch happening {
    case .request(let evidence): add(request: evidence, nil, on: id, at: time)
    case .answered(let answer):
      if answer.status != nil { note(.answered(answer), of: answer.stream, on: id) }
    case .reset(let stream, let code, let byService):
      note(byService ? .reset(code) : .unanswered("its provider gave it up"), of: stream, on: id)
    case .malformed, .goAway: return
    }
  }

  /// A connection of requests ends: what was not answered stays so, where the capture would show it.
  mutating func endRequests(of id: ConnectionID) {
    guard let rest = unanswered.removeValue(forKey: id), answersSeen.contains(id) else { return }
    for place in rest.values { setAnswer(.unanswered(), at: place) }
  }

  private mutating func note(_ outcome: StreamOutcome, of stream: UInt32, on id: ConnectionID) {
    guard let place = unanswered[id]?.removeValue(forKey: stream) else {
      if case .answered = outcome { digest.answersWithoutRequest += 1 }
      return
    }
    setAnswer(outcome, at: place)
  }

  private mutating func setAnswer(_ outcome: StreamOutcome, at place: Int) {
    let number = Int(digest.items.entries[place].request)
    if number > 0 { digest.items.requests[number - 1].set(outcome, &digest.items.words) }
  }

  /// The numbers of a request's token and topic, and the fingerprint of the rest.
  private mutating func parts(
    of bytes: UnsafeRawBufferPointer,
    _ item: RequestItem
  ) -> (token: UInt32, topic: UInt32, content: Fingerprint) {
    guard let evidence = RequestEvidence(bytes) else { return (0, 0, Fingerprint(low: 0, high: 0)) }
    let request = evidence.request
    let body = digest.isFilled ? PayloadFiller.redact(Array(evidence.body)) : Array(evidence.body)
    let topic = (request.isBroadcast ? request.bundleId : request.topic).bytes(in: bytes)
    return (
      UInt32(truncatingIfNeeded: digest.items.tokens.number(of: evidence.token)),
      UInt32(truncatingIfNeeded: digest.items.topics.number(of: topic)),
      (item.mark + [0] + body).withUnsafeBytes { Fingerprint(of: $0) }
    )
  }
}
