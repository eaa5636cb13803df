import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimWire
import NIOCore

extension NetworkReplay {
  /// The target of captured connections of requests, and their credentials.
  package struct Requests {
    package var target: ProviderTarget
    /// For connections that had a certificate; nil where there is none to show.
    package var certificateTarget: ProviderTarget?
    package var tokens: ReplayTokens

    package init(target: ProviderTarget, certificateTarget: ProviderTarget?, tokens: ReplayTokens) {
      (self.target, self.certificateTarget, self.tokens) = (target, certificateTarget, tokens)
    }
  }
}

/// Connections of requests: one for each of the capture's, with its streams in the same order.
extension NetworkReplay {
  /// The target of a connection of requests.
  mutating func requestTarget(of captured: CapturedConnection) -> ProviderTarget? {
    guard let service = requestService else { return nil }
    guard !captured.provider.topics.isEmpty else { return service.target }
    if service.certificateTarget == nil {
      note("\(captured.id) had a certificate, and there is none to show: --cert FILE names one")
    }
    return service.certificateTarget ?? service.target
  }

  /// Sends a request of the capture, its header list first where others were sent between the two.
  mutating func play(_ evidence: [UInt8], _ item: LookAhead.Item, on id: ConnectionID) async throws {
    if turn != id { await flush() }
    turn = id
    guard let connection = requests[id] else {
      if ended.contains(id) { omit("a request after the connection's end", of: id, .http2) }
      return
    }
    guard let request = CapturedRequest(evidence: evidence) else {
      return omit("a request that cannot be read, of line \(item.entry.line),", of: id, .http2)
    }
    if connection.isOpen(request.stream) {
      return await connection.finish(request.stream, within: options.patience)
    }
    let recorded = StreamOutcome(item.answer)
    connection.send(
      try push(request, at: item.entry.time),
      as: request.stream,
      suppliedId: request.suppliedId,
      recorded,
      isLater: item.answer?.isLater ?? false,
      holdsBody: item.isOpening
    )
    report.requests += 1
  }

  /// The request as it is sent again, with a provider token of now.
  private mutating func push(_ request: CapturedRequest, at time: Timestamp) throws -> PushRequest {
    let authorization = try requestService?.tokens.value(
      of: request.authorization,
      at: time,
      real: request.realTime,
      now: Timestamp.now.seconds
    )
    for (captured, key) in (requestService?.tokens.replaced ?? [:]).sorted(by: { $0.key < $1.key }) {
      note("provider tokens of the key \(captured) are signed by \(key)")
    }
    var fields: [(name: String, value: String)] = []
    for field in request.fields where !field.name.hasPrefix(":") {
      guard field.name == "authorization" else {
        fields.append(field)
        continue
      }
      // With a certificate it counts for nothing, and what it was is not known.
      if let authorization { fields.append((name: field.name, value: authorization)) }
    }
    var push = PushRequest(token: "", fields: fields, body: request.body)
    push.method = request.value(":method") ?? "POST"
    push.otherPath = request.value(":path") ?? "/"
    return push
  }

  /// Takes what the capture tells of the streams beside their requests.
  mutating func play(_ happening: StreamHappening, on id: ConnectionID) async {
    guard let connection = requests[id] else { return }
    switch happening {
    case .request: return
    case .answered(let answer):
      // A simulator's own line of the request has what was answered.
      if answer.status != nil {
        connection.expect(.answered(answer), of: answer.stream)
      } else {
        connection.expect(answer.stream)
      }
      if turn != id { await flush() }
      turn = id
    case .reset(let stream, let code, let byService):
      if byService { connection.expect(.reset(code), of: stream) } else { connection.leave(stream) }
    // The capture does not have the bytes of what was no request.
    case .malformed, .goAway: return
    }
  }

  mutating func endRequests(_ id: ConnectionID, _ ending: CapturedEnd) async throws {
    guard let connection = requests.removeValue(forKey: id) else { return }
    if turn == id { turn = nil }
    ended.insert(id)
    let isComplete = isRecording || connection.captured.areAnswersSeen
    await connection.waitForAnswers(within: options.patience, isComplete: isComplete)
    var otherEnd: OtherEnd?
    if ending == .service, isRecording {
      if !(await connection.waitForEnd(within: options.patience)) { otherEnd = stillOpen }
    } else {
      await connection.waitForSilent(within: options.silence)
      if connection.hasEnded, ending.excludesService {
        let difference = EndDifference(recorded: ending, replayed: .service)
        otherEnd = (difference, "the service ended the connection")
      }
    }
    try Task.checkCancellation()
    await connection.close(isComplete: isComplete)
    compare(connection, otherEnd)
  }
}
