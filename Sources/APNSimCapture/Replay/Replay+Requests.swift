import APNSimCore
import APNSimWire

/// Requests and answers. Those of captures that no simulator recorded have no verdicts.
extension Replay {
  func play(_ happening: StreamHappening, on id: ConnectionID, _ entry: CaptureEntry) {
    guard let connection = connection(id) else { return }
    switch happening {
    case .request(let evidence): take(evidence, on: connection, entry)
    case .answered(let answer):
      // The answer of a simulator's recording stands in the request's own line.
      guard answer.status != nil else { return }
      seeAnswers(of: connection)
      connection.hasRecordedAnswer = true
      connection.streams.note(recorded: .answered(answer), of: answer.stream)
    case .reset(let stream, let code, let byService):
      if byService {
        connection.streams.note(recorded: .reset(code), of: stream)
      } else {
        giveUp(stream, code, on: connection, entry)
      }
    case .goAway: return
    }
  }

  private func giveUp(
    _ stream: UInt32,
    _ code: String,
    on connection: ReplayConnection,
    _ entry: CaptureEntry
  ) {
    connection.streams.leave(stream)
    guard case .http2(let requests) = connection.door, !connection.isBroken else { return }
    let actions = requests.giveUp(stream, HTTP2Code(spelled: code) ?? .cancel, at: wall(entry))
    connection.note(actions.ending, at: entry.time)
  }

  /// A recorded request that its service did not answer, and that has no answer in the replay: how its stream ends is
  /// still to be seen.
  func beginUnanswered(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    guard !result.comparesJournal, notification.isCompared, notification.isSame,
      let recorded = notification.recorded, recorded.answer == .unanswered,
      let stream = notification.verdict.request?.stream
    else { return }
    let outcome = recorded.outcome == .discarded ? StreamOutcome.goneAway : nil
    connection.streams.begin(stream, suppliedId: nil, recorded: outcome)
  }

  /// Takes the RST_STREAM that the line of a fault tells of.
  func noteRecordedReset() {
    guard !result.comparesJournal,
      case (let id, .reset(let stream, let code, _))? = source.withFields({
        StreamHappening.frame(ofFault: $0)
      })
    else { return }
    connections[id]?.streams.note(recorded: .reset(code), of: stream)
  }

  private func take(_ evidence: [UInt8], on connection: ReplayConnection, _ entry: CaptureEntry) {
    guard case .http2(let requests) = connection.door, !connection.isBroken,
      let request = ProviderRequest(evidence: evidence), let captured = CapturedRequest(evidence: evidence)
    else { return }
    connection.lastWrite = entry.time
    connection.streams.begin(captured.stream, suppliedId: captured.suppliedId, recorded: nil)
    let actions = requests.receive([request], at: wall(entry))
    connection.addReplayed(actions)
    takeVerdicts(.none, of: connection, at: entry.time)
    connection.note(actions.ending, at: entry.time)
  }

  /// Compares the answers to a connection's requests, at its end.
  func compareStreams(of connection: ReplayConnection) {
    connection.streams.finish(isComplete: connection.areAnswersComplete)
    result.differences.add(saturating: UInt64(connection.streams.differenceCount))
    guard result.firstDifference == nil, let first = connection.streams.differences.first else { return }
    result.firstDifference = ReplayResult.Difference(
      content: .request(first),
      connection: connection.name
    )
  }
}

extension ReplayConnection {
  /// Takes answers of the replay's service, and the streams that it resets.
  func addReplayed(_ actions: RequestActions) {
    for answer in actions.answers {
      streams.note(replayed: .answered(CapturedAnswer(answer)), of: answer.stream)
    }
    for case (_, .resetStream(let stream, let code)) in actions.frames {
      streams.note(replayed: .reset(code.name), of: stream)
    }
  }
}

extension CapturedAnswer {
  /// An answer as its provider would read it.
  init(_ answer: RequestAnswer) {
    var reason: String?
    if case .object(let members)? = try? JSONValue.parse(answer.body) {
      reason = members.first { $0.key == "reason" }?.value.stringValue
    }
    self.init(
      stream: answer.stream,
      status: answer.status,
      reason: reason,
      id: answer.header("apns-id") ?? answer.header("apns-request-id"),
      timestamp: answer.answer.timestamp
    )
  }
}
