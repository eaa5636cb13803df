package import APNSimCore
import APNSimWire

/// Providers that push by requests.
extension ScenarioRunner {
  /// Hands requests in, as one read.
  func push(
    _ requests: [TrafficRequest],
    _ token: TrafficToken?,
    on provider: ScriptedProvider,
    _ connection: RequestConnection
  ) {
    if let token { (provider.token, provider.minted) = (token, nil) }
    var pushed: [ProviderRequest] = []
    for request in requests {
      let app = AppKey(topic: request.app, environment: provider.provider.app.environment)
      guard let deviceToken = simulator.token(of: request.recipient, for: app) else {
        failures.append("\(provider.name): \(request.recipient) has no token for \(app)")
        continue
      }
      for _ in 0..<request.count {
        let authorization = authorization(of: provider)
        pushed.append(
          ProviderRequest(
            stream: UInt32(truncatingIfNeeded: 2 * provider.sent + 1),
            headers: request.headerList(
              token: deviceToken,
              isByToken: authorization.scheme == .bearer,
              at: now
            ),
            body: request.payload,
            authorization: authorization
          )
        )
        provider.sent += 1
      }
    }
    guard !provider.isDeaf, provider.plan.closeAfterHandshake == nil, case .requests = provider.phase else {
      return
    }
    take(connection.receive(pushed, at: start), for: provider)
  }

  /// The evidence of a request's right to push.
  private func authorization(of provider: ScriptedProvider) -> RequestAuthorization {
    if provider.provider.hasCertificate { return .certificate }
    let token = provider.token
    guard token.isThere else { return RequestAuthorization() }
    if provider.minted == nil || token.isPerRequest {
      tokens += 1
      provider.minted = (tokens, now + -token.age)
    }
    guard let minted = provider.minted else { return RequestAuthorization() }
    return .bearer(token.facts(minted.number, issuedAt: minted.issuedAt))
  }

  /// Performs actions that no request caused, but a delay.
  package func perform(_ actions: RequestActions, on connection: ConnectionID) {
    guard let provider = providers.values.first(where: { $0.sight.id == connection }) else { return }
    take(actions, for: provider)
  }

  func take(_ actions: RequestActions, for provider: ScriptedProvider) {
    guard !provider.plan.isMute else { return }
    actions.perform { answer in
      guard answer.part != .headers else { return }
      arrive("\(answer.status)" + (answer.reason.map { " \($0.name())" } ?? ""), at: provider)
    } frame: { frame in
      arrive(frame.seen, at: provider)
    }
    take(actions.ending, for: provider)
  }

  /// An answer, or a frame in place of one, is on its way to a provider.
  private func arrive(_ text: String, at provider: ScriptedProvider) {
    for piece in provider.output.pieces(of: 1, at: now) {
      carry(.answer(provider.name, text), to: provider, at: piece.arrival)
    }
  }
}

extension RequestFrame {
  /// A provider's note of it among the answers: `RST_STREAM REFUSED_STREAM`, `GOAWAY NO_ERROR 5 Shutdown`.
  fileprivate var seen: String {
    switch self {
    case .resetStream(_, let code): SeenFrame.reset(code)
    case .goAway(let lastStream, let code, let debug): SeenFrame.goAway(lastStream, code, debug)
    case .maxStreams(let count): SeenFrame.maxStreams(count.map { Int($0) })
    }
  }
}

extension TrafficProvider {
  /// True for a connection of requests whose provider has a certificate, and needs no provider token.
  package var hasCertificate: Bool { listener == .http2 && certificate != .none }
}
