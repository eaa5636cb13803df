import APNSimCore
import APNSimWire
import Testing

/// A provider that pushes requests to a simulator without a network, the way a listener would hand them in.
final class CoreRequester: EffectOutlet, @unchecked Sendable {
  let simulator: Simulator
  let connection: RequestConnection
  private(set) var answers: [RequestAnswer] = []
  private(set) var ending = ConnectionEnding.none
  /// The frames that left, in order: `200 on 1`, `GOAWAY NO_ERROR 3`, `RST_STREAM REFUSED_STREAM on 5`, `SETTINGS 1`.
  private(set) var seen: [String] = []
  var now: Timestamp
  private var nextStream: UInt32 = 1

  /// - Parameter topics: those of the client certificate, none without one.
  init(
    _ simulator: Simulator,
    topics: [String] = [],
    environment: PushEnvironment = .production,
    at now: Timestamp = Moment.start
  ) throws {
    self.simulator = simulator
    self.now = now
    let provider = ProviderIdentity(topics: topics, environment: environment, subject: "")
    connection = try simulator.openRequests(
      ConnectionOpening(peer: "127.0.0.1:1", provider: provider),
      at: now
    )
    simulator.setOutlet(self)
  }

  /// A provider token of the team `TEAM`, issued at the beginning.
  static func token(
    _ number: UInt64 = 1,
    team: String = "TEAM",
    issuedAt: Timestamp = Moment.start,
    _ verdict: ProviderTokenFacts.Verdict = .good,
    scope: ProviderKeyScope = ProviderKeyScope()
  ) -> RequestAuthorization {
    .bearer(
      ProviderTokenFacts(
        number: number,
        keyID: "KEY",
        teamID: team,
        issuedAt: issuedAt.seconds,
        verdict: verdict,
        scope: scope
      )
    )
  }

  /// - Parameter bytes: a body that is no text.
  func request(
    to token: String = Hex.encode(Samples.online),
    topic: String? = Samples.topic,
    headers: [(String, String)] = [("apns-push-type", "alert")],
    body: String = #"{"aps":{"alert":"hi"}}"#,
    bytes: [UInt8]? = nil,
    method: String = "POST",
    path: String? = nil,
    _ authorization: RequestAuthorization = CoreRequester.token()
  ) -> ProviderRequest {
    var list = [(":method", method), (":scheme", "https"), (":path", path ?? "/3/device/\(token)")]
    if authorization.scheme != .none { list.append(("authorization", "bearer secret")) }
    if let topic { list.append(("apns-topic", topic)) }
    list += headers
    defer { nextStream += 2 }
    return ProviderRequest(
      stream: nextStream,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: bytes ?? Array(body.utf8),
      authorization: authorization
    )
  }

  /// Hands requests in, as one read.
  @discardableResult
  func send(_ requests: ProviderRequest...) -> RequestAnswer? {
    take(connection.receive(requests, at: now))
    return answers.last
  }

  func send(_ requests: some Sequence<ProviderRequest>) { take(connection.receive(Array(requests), at: now)) }

  func perform(_ action: GatewayAction, on connection: ConnectionID) {}

  func perform(_ actions: RequestActions, on connection: ConnectionID) {
    if connection == self.connection.id { take(actions) }
  }

  func close() { connection.closed(.peerClosed, at: now) }

  private func take(_ actions: RequestActions) {
    answers += actions.answers
    actions.perform { answer in
      let part = answer.part == .whole ? "" : " \(answer.part)"
      seen.append("\(answer.status)\(part) on \(answer.stream)")
    } frame: { frame in
      switch frame {
      case .goAway(let last, let code, let debug):
        let text = String(decoding: debug, as: UTF8.self)
        seen.append("GOAWAY \(code.name) \(last)" + (text.isEmpty ? "" : " \(text)"))
      case .resetStream(let stream, let code): seen.append("RST_STREAM \(code.name) on \(stream)")
      case .maxStreams(let count): seen.append("SETTINGS " + (count.map { "\($0)" } ?? "as usual"))
      }
    }
    if actions.ending != .none { ending = actions.ending }
  }
}

extension ProviderRequest {
  var stream: UInt32 { bytes.withUnsafeBytes { RequestEvidence($0)?.stream ?? 0 } }
}
