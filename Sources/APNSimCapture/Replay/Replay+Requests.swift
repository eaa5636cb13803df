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
      comparison.noteRecordedAnswers()
      connection.sides.addRecordedAnswer()
      connection.sides.streams.note(recorded: .answered(answer), of: answer.stream)
    case .reset(let stream, let code, let byService):
      if byService {
        connection.sides.streams.note(recorded: .reset(code), of: stream)
      } else {
        giveUp(stream, code, on: connection, entry)
      }
    case .malformed(let malformed):
      guard case .http2(let requests) = connection.door, !connection.isBroken else { return }
      requests.refuse(malformed, at: wall(entry))
    case .goAway: return
    }
  }

  private func giveUp(
    _ stream: UInt32,
    _ code: String,
    on connection: ReplayConnection,
    _ entry: CaptureEntry
  ) {
    connection.sides.streams.leave(stream)
    guard case .http2(let requests) = connection.door, !connection.isBroken else { return }
    let actions = requests.giveUp(stream, HTTP2Code(spelled: code) ?? .cancel, at: wall(entry))
    connection.note(actions.ending, at: entry.time)
  }

  /// Takes the RST_STREAM that the line of a fault tells of.
  func noteRecordedReset() {
    guard !comparison.comparesJournal,
      case (let id, .reset(let stream, let code, _))? = source.withFields({
        StreamHappening.frame(ofFault: $0)
      })
    else { return }
    connections[id]?.sides.streams.note(recorded: .reset(code), of: stream)
  }

  private func take(_ evidence: [UInt8], on connection: ReplayConnection, _ entry: CaptureEntry) {
    guard case .http2(let requests) = connection.door, !connection.isBroken,
      let request = ProviderRequest(evidence: evidence), let captured = CapturedRequest(evidence: evidence)
    else { return }
    connection.sides.lastWrite = entry.time
    connection.sides.streams.begin(captured.stream, suppliedId: captured.suppliedId, recorded: nil)
    let actions = requests.receive([request], at: wall(entry))
    connection.addReplayed(actions)
    takeVerdicts(.none, of: connection, at: entry.time)
    connection.note(actions.ending, at: entry.time)
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
