package import APNSimCore
import APNSimWire

/// The listener between providers and core: connects, hands bytes in, carries bytes out with the delays of faults.
extension ScenarioRunner {
  func perform(_ action: TrafficStep.Action, on provider: ScriptedProvider) {
    switch provider.phase {
    case .idle:
      connect(provider)
      if case .waiting = provider.phase {
        provider.phase = .waiting([action])
      } else {
        act(action, on: provider)
      }
    case .waiting(let actions): provider.phase = .waiting(actions + [action])
    case .gateway, .feedback, .requests: act(action, on: provider)
    case .over:
      // The connection is gone: a provider that writes finds an error, and nothing else happens.
      break
    }
  }

  // MARK: Connecting

  private func connect(_ provider: ScriptedProvider) {
    let (ordinal, delay) = simulator.arrive(provider.provider.listener, at: start)
    guard delay > .zero else { return handshake(provider, ordinal: ordinal) }
    provider.phase = .waiting([])
    queue.add(.handshake(provider.name, ordinal: ordinal), at: now + delay)
  }

  func handshake(_ provider: ScriptedProvider, ordinal: UInt32) {
    let listener = provider.provider.listener
    let identity = provider.provider.identity
    if listener == .http2 {
      // A script is asked when it says hello, with nothing else known of it.
      let stranger = ProviderIdentity(topics: [], environment: identity.environment, subject: "")
      if refuses(provider, stranger, ordinal: ordinal) { return }
    }
    // The certificate is looked at before any script is asked about it.
    // Over HTTP/2 none is needed.
    let needsNone = listener == .http2 && provider.provider.certificate == .none
    if !needsNone, let alert = provider.provider.certificate.alert {
      guard listener == .http2, provider.provider.certificate == .wrongEnvironment else {
        return refuse(provider, alert: alert)
      }
      // There the handshake is completed first, and GOAWAY says why.
      turnAway(provider)
      let reason = Reason.badCertificateEnvironment.name()
      provider.sight.answers.append(SeenFrame.goAway(0, .noError, #"{"reason":"\#(reason)"}"#.utf8))
      return noteRefusal(of: provider, reason)
    }
    // Without topics there is no certificate to ask about on a port of requests.
    let isAsked = listener != .http2 || !identity.topics.isEmpty
    if isAsked, refuses(provider, identity, ordinal: ordinal) { return }
    var opening = ConnectionOpening(peer: provider.name, provider: identity)
    opening.ordinal = ordinal
    switch listener {
    case .feedback:
      guard let connection = try? simulator.openFeedback(opening, at: start) else {
        return turnAway(provider)
      }
      provider.phase = .feedback(connection)
      provider.plan = connection.plan
      provider.sight.id = connection.id
    case .http2:
      guard let connection = try? simulator.openRequests(opening, at: start) else {
        return turnAway(provider)
      }
      provider.phase = .requests(connection)
      provider.plan = connection.plan
      provider.sight.id = connection.id
      take(connection.openingEnding, for: provider)
    case .gateway, .device:
      guard let connection = try? simulator.openGateway(opening, at: start) else { return turnAway(provider) }
      provider.phase = .gateway(connection)
      provider.plan = connection.plan
      provider.sight.id = connection.id
    }
    guard let span = provider.plan.closeAfterHandshake else { return }
    guard span <= .zero else { return queue.add(.closeAfterHandshake(provider.name), at: now + span) }
    depart(ending: .close, from: provider)
    provider.close(.simulatorClosed, at: start)
  }

  /// True where a script refuses it in the handshake.
  private func refuses(_ provider: ScriptedProvider, _ identity: ProviderIdentity, ordinal: UInt32) -> Bool {
    let listener = provider.provider.listener
    guard let refusal = simulator.refusal(listener, ordinal: ordinal, provider: identity, at: start) else {
      return false
    }
    if case .alert(let number) = refusal {
      refuse(provider, alert: number)
    } else {
      refuse(provider, alert: nil)
    }
    return true
  }

  private func refuse(_ provider: ScriptedProvider, alert: UInt8?) {
    provider.sight.alert = alert
    provider.sight.ending = .refused
    provider.phase = .over
    noteRefusal(of: provider, alert.map { "alert \($0)" } ?? "closed in the handshake")
  }

  private func noteRefusal(of provider: ScriptedProvider, _ reason: String) {
    simulator.noteRefusedConnection(
      provider.provider.listener,
      peer: provider.name,
      reason: reason,
      subject: provider.provider.certificate == .none ? "" : provider.provider.identity.subject,
      at: start
    )
  }

  /// There is no room, or the provider connects too often: closed right after the handshake.
  private func turnAway(_ provider: ScriptedProvider) {
    provider.sight.ending = .close
    provider.phase = .over
  }

  // MARK: Doing

  func act(_ action: TrafficStep.Action, on provider: ScriptedProvider) {
    switch (action, provider.phase) {
    case (.send(let pieces, let cut), .gateway(let connection)): send(pieces, cut, on: provider, connection)
    case (.end, .gateway(let connection)):
      let action = connection.inputEnded(at: start)
      take(action, for: provider)
      guard action.ending == .none, !connection.hasPendingReply else { return }
      depart(ending: .close, from: provider)
      provider.close(.peerClosed, at: start)
    case (.push(let requests, let token), .requests(let connection)):
      push(requests, token, on: provider, connection)
    case (.end, .feedback), (.end, .requests):
      depart(ending: .close, from: provider)
      provider.close(.peerClosed, at: start)
    case (.reset, .gateway), (.reset, .feedback), (.reset, .requests):
      provider.sight.ending = .reset
      provider.close(.reset, at: start)
    case (.readFeedback(let tuples), .feedback(let connection)): read(tuples, on: provider, connection)
    default: break
    }
  }

  private func send(
    _ pieces: [TrafficPiece],
    _ cut: TrafficCut,
    on provider: ScriptedProvider,
    _ connection: GatewayConnection
  ) {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let raw):
        bytes += raw
        provider.sent += 1
      case .notification(let notification):
        guard let token = simulator.token(of: notification.recipient, for: provider.provider.app) else {
          failures.append(
            "\(provider.name): \(notification.recipient) has no token for \(provider.provider.app)"
          )
          continue
        }
        bytes += notification.frames(token: token, place: provider.sent + 1, at: now)
        provider.sent += notification.count
      }
    }
    for piece in cut.pieces(of: bytes) {
      guard !provider.isDeaf, case .gateway = provider.phase else { return }
      take(piece.withUnsafeBytes { connection.receive($0, at: start) }, for: provider)
    }
  }

  private func read(_ tuples: Int?, on provider: ScriptedProvider, _ connection: FeedbackConnection) {
    guard !provider.plan.isBlackHole else { return }
    if let tuples {
      for _ in 0..<tuples {
        let tuple = connection.nextChunk(maximumBytes: 1, at: start)
        guard !tuple.isEmpty else { break }
        depart(tuple, from: provider)
      }
      return
    }
    while true {
      let chunk = connection.nextChunk(at: start)
      guard !chunk.isEmpty else { break }
      depart(chunk, from: provider)
    }
    if !connection.holdsOpen { depart(ending: .close, from: provider) }
  }

  // MARK: Carrying

  /// Performs an action that no input of the connection caused, but a delay or the clock.
  package func perform(_ action: GatewayAction, on connection: ConnectionID) {
    // At most one provider matches, so that the dictionary's order cannot show.
    guard let provider = providers.values.first(where: { $0.sight.id == connection }) else { return }
    take(action, for: provider)
  }

  private func take(_ action: GatewayAction, for provider: ScriptedProvider) {
    for record in action.records { depart(record, from: provider) }
    take(action.ending, for: provider)
  }

  func take(_ ending: ConnectionEnding, for provider: ScriptedProvider) {
    switch ending {
    case .none: break
    case .drain: depart(ending: .close, from: provider)
    case .stopReading:
      provider.isDeaf = true
      depart(ending: .stopReading, from: provider)
    case .reset:
      depart(ending: .reset, from: provider)
      provider.close(.reset, at: start)
    }
  }

  /// Sends a record to a provider, in slices and with a delay where a fault asks for them.
  private func depart(_ record: [UInt8], from provider: ScriptedProvider) {
    for piece in provider.output.pieces(of: record.count, at: now) {
      carry(.arrival(provider.name, Array(record[piece.range])), to: provider, at: piece.arrival)
    }
  }

  func depart(ending: TrafficEnding, from provider: ScriptedProvider) {
    carry(.ending(provider.name, ending), to: provider, at: provider.output.endArrival(at: now))
  }

  func carry(_ task: RunQueue.Task, to provider: ScriptedProvider, at moment: Timestamp) {
    guard moment <= now, provider.onTheWay == 0 else {
      provider.onTheWay += 1
      return queue.add(task, at: moment)
    }
    switch task {
    case .arrival(_, let bytes): arrive(bytes, at: provider)
    case .ending(_, let ending): end(provider, ending)
    case .answer(_, let answer): provider.sight.answers.append(answer)
    case .step, .check, .handshake, .closeAfterHandshake: break
    }
  }

  func arrive(_ bytes: [UInt8], at provider: ScriptedProvider) {
    provider.sight.received += bytes
    provider.sight.records = (provider.sight.records ?? 0) + 1
  }

  func end(_ provider: ScriptedProvider, _ ending: TrafficEnding) {
    guard provider.sight.ending == .open else { return }
    provider.sight.ending = ending
    closeIfOver(provider)
  }

  /// Closes a provider whose connection the gateway has closed and that has no steps left.
  func closeIfOver(_ provider: ScriptedProvider) {
    guard provider.sight.ending == .close, provider.stepsLeft <= 0 else { return }
    provider.close(.simulatorClosed, at: start)
  }
}

extension Simulator {
  /// The token by which a provider of an app reaches a recipient; nil for a device without the app.
  package func token(of recipient: TrafficNotification.Recipient, for app: AppKey) -> [UInt8]? {
    switch recipient {
    case .token(let token): token
    case .device(let name): device(name)?.apps.first { $0.app == app }?.token
    }
  }
}

extension TrafficNotification.Recipient: CustomStringConvertible {
  package var description: String {
    switch self {
    case .device(let name): "the device \"\(name)\""
    case .token(let token): Hex.encode(token)
    }
  }
}
