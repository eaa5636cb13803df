import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire

/// A provider within the program: it opens a connection to a simulator, without a network, and sends one notification.
struct Sender {
  let simulator: Simulator
  let body: SendBody
  let token: [UInt8]
  let app: AppKey
  /// The key and the team of the provider token.
  let keyID: String
  let teamID: String

  /// A notification that was sent.
  struct Sent {
    var view: NotificationView
    /// Bytes of an error response that came at once.
    var response: [UInt8] = []
    /// The answer to a request that came at once.
    var answer: RequestAnswer?
  }

  /// Sends the notification and closes the connection. An answer that comes later is not waited for.
  /// - Throws: `ProblemDetails` 409 where the connection is turned away, or nothing is taken on it.
  func send(at wall: Timestamp) throws(ProblemDetails) -> Sent {
    let now = simulator.time(at: wall)
    let number = simulator.nextNumber
    var sent: Sent?
    do throws(TurnedAway) {
      sent = try body.isBinary ? sendFrame(number, at: wall, now) : sendRequest(number, at: wall, now)
    } catch {
      if error == .suspended { throw ProblemDetails(CommandError.suspended) }
      throw .conflict("the connection was turned away: \(error)")
    }
    guard let sent else {
      throw .conflict("nothing was taken: a fault strikes the connection first, or the history keeps nothing")
    }
    return sent
  }

  private func opening(_ topics: [String]) -> ConnectionOpening {
    let subject = topics.isEmpty ? "" : "UID=\(app.topic)"
    let provider = ProviderIdentity(topics: topics, environment: app.environment, subject: subject)
    return ConnectionOpening(peer: "control API", provider: provider)
  }

  private func sendFrame(
    _ number: UInt64,
    at wall: Timestamp,
    _ now: Timestamp
  ) throws(TurnedAway) -> Sent? {
    let connection = try simulator.openGateway(opening([app.topic]), at: wall)
    let frame = body.frame(token: token, identifier: UInt32(truncatingIfNeeded: number), at: now)
    let action = frame.withUnsafeBytes { connection.receive($0, at: wall) }
    connection.closed(action.ending == .none ? .peerClosed : .simulatorClosed, at: wall)
    return simulator.firstNotification(on: connection.id, from: number)
      .map { Sent(view: $0, response: action.records.flatMap { $0 }) }
  }

  private func sendRequest(
    _ number: UInt64,
    at wall: Timestamp,
    _ now: Timestamp
  ) throws(TurnedAway) -> Sent? {
    let connection = try simulator.openRequests(opening(body.needsCertificate ? [app.topic] : []), at: wall)
    let request = ProviderRequest(
      stream: 1,
      headers: body.headerList(token: token, topic: app.topic, at: now),
      body: body.payload,
      authorization: body.needsCertificate ? .certificate : .bearer(facts(now))
    )
    let actions = connection.receive([request], at: wall, isLive: true)
    connection.closed(actions.ending == .none ? .peerClosed : .simulatorClosed, at: wall)
    return simulator.firstNotification(on: connection.id, from: number)
      .map { Sent(view: $0, answer: actions.answers.first) }
  }

  /// A good provider token, which is made anew each half hour.
  private func facts(_ now: Timestamp) -> ProviderTokenFacts {
    let halfHour: Int64 = 1800
    let issuedAt = now.seconds - (now.seconds % halfHour + halfHour) % halfHour
    return ProviderTokenFacts(
      number: UInt64.max - UInt64(truncatingIfNeeded: issuedAt) % (1 << 48),
      keyID: keyID,
      teamID: teamID,
      issuedAt: issuedAt,
      verdict: .good
    )
  }
}
