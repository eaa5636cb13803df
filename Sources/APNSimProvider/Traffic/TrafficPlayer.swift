package import APNSimCore
package import APNSimScenario
package import APNSimTLS
import NIOCore

/// One connection of a script over the network.
package final class TrafficPlayer {
  /// Devices that notifications are to go to have no tokens for the provider's app.
  package struct NoToken: Error { package var descriptions: [String] }

  let name: String
  let provider: TrafficProvider
  let keys: TrafficKeys?
  private var client: TrafficClient?
  private var sent = 0
  /// The notifications sent so far that the server is known to read in the end.
  private var framesSent = 0
  private var hasRawBytes = false
  /// The provider token of the next request, and the value of `authorization` made of it; nil before the first request.
  var token = TrafficToken()
  var minted: String?

  /// - Parameter keys: what signs the tokens of a provider that pushes over HTTP/2.
  package init(name: String, provider: TrafficProvider, keys: TrafficKeys?) {
    (self.name, self.provider, self.keys) = (name, provider, keys)
  }

  /// Connects, and waits for the end of the handshake.
  package func connect(to host: String, port: Int, _ context: TLSContext) async throws {
    let client = try await TrafficClient.connect(
      to: host,
      port: port,
      context,
      pushes: provider.listener == .http2
    )
    self.client = client
    await wait(atMost: .seconds(5)) { client.state.isConnected || client.state.ending != .open }
  }

  /// - Parameter now: the wall's time.
  /// - Throws: `NoToken` where a notification is to go to a device that has no token for the provider's app.
  package func perform(_ action: TrafficStep.Action, _ simulator: Simulator, at now: Timestamp) async throws {
    guard let client else { return }
    switch action {
    case .open, .readFeedback: break
    case .push(let pushed, let token):
      let (requests, failures) = try requests(pushed, token, simulator, at: now)
      client.push(requests)
      framesSent += requests.count
      if !failures.isEmpty { throw NoToken(descriptions: failures) }
    case .end: client.finish()
    case .reset: await client.drop()
    case .send(let pieces, let cut):
      var bytes: [UInt8] = []
      for piece in pieces {
        switch piece {
        case .bytes(let raw):
          bytes += raw
          sent += 1
          hasRawBytes = true
        case .notification(let notification):
          guard let token = simulator.token(of: notification.recipient, for: provider.app) else {
            throw NoToken(
              descriptions: ["\(name): \(notification.recipient) has no token for \(provider.app)"]
            )
          }
          bytes += notification.frames(token: token, place: sent + 1, at: simulator.time(at: now))
          sent += notification.count
          framesSent += notification.count
        }
      }
      // A record holds 16,384 bytes at most.
      let limit = TrafficCut.pieces(16_384)
      client.send(cut.pieces(of: bytes).lazy.flatMap { limit.pieces(of: Array($0)) })
    }
  }

  /// Waits until the server has processed everything that the players sent, as far as that can be seen: it has counted
  /// the notifications, an answer has arrived, and nothing changes any more.
  /// - Parameter patience: the time without a change after which a connection that tells nothing is done. It is counted
  ///   in looks, so that it is longer on a busy machine, where looks are late.
  package static func settle(_ players: [TrafficPlayer], _ simulator: Simulator, quiet patience: Duration)
    async
  {
    let views = views(simulator)
    var moving = players.compactMap { Movement($0, views) }
    let end = ContinuousClock.now + .seconds(10)
    while !moving.isEmpty, ContinuousClock.now < end {
      try? await Task.sleep(for: Movement.interval)
      let views = self.views(simulator)
      for index in moving.indices { moving[index].look(views) }
      moving.removeAll { $0.isOver(patience) }
    }
  }

  /// The last change on a connection.
  private struct Movement {
    let player: TrafficPlayer
    let client: TrafficClient
    var state: TrafficClient.State
    var view: ConnectionView?
    /// The time without a change, as a number of looks.
    var quiet = Duration.zero

    static let interval = Duration.milliseconds(2)

    /// Nil for a player that never connected.
    init?(_ player: TrafficPlayer, _ views: [Int: ConnectionView]) {
      guard let client = player.client else { return nil }
      (self.player, self.client, state) = (player, client, client.state)
      view = client.view(in: views)
    }

    mutating func look(_ views: [Int: ConnectionView]) {
      let (state, view) = (client.state, client.view(in: views))
      let hasMoved = state != self.state || view?.counts != self.view?.counts
      quiet = hasMoved ? .zero : quiet + Self.interval
      (self.state, self.view) = (state, view)
    }

    private var received: Int { Int(clamping: view?.counts.received ?? 0) }

    /// True where the server is known to have everything that was sent.
    private var isRead: Bool {
      if player.provider.listener == .http2, state.unanswered == 0 { return true }
      return player.provider.listener != .feedback && !player.hasRawBytes && received >= player.framesSent
    }

    func isOver(_ patience: Duration) -> Bool {
      let isAnswered = (view?.error == nil || state.ending != .open) && state.unanswered == 0
      if state.ending != .open || (isRead && isAnswered) { return quiet >= .milliseconds(10) }
      // A request that the server reads only after the clock has moved is judged by another time.
      let isOnItsWay = player.provider.listener == .http2 && !isRead
      guard quiet >= (isOnItsWay ? max(patience, .seconds(2)) : patience) else { return false }
      // A server that has stopped reading is not waited for again.
      if isOnItsWay { player.framesSent = received }
      return true
    }
  }

  package func sight(_ simulator: Simulator) -> ObservedConnection {
    var sight = ObservedConnection(name: name)
    sight.records = nil
    guard let client else { return sight }
    let state = client.state
    (sight.received, sight.ending, sight.alert) = (state.received, state.ending, state.alert)
    sight.answers = state.answers
    sight.view = client.view(in: Self.views(simulator))
    sight.id = sight.view?.id
    return sight
  }

  package func close() async { await client?.close() }

  /// The simulator's views by the ports of their peers; of two with the same port, the later one.
  private static func views(_ simulator: Simulator) -> [Int: ConnectionView] {
    let views = simulator.connections().compactMap { view in
      view.opening.peer.split(separator: ":").last.flatMap { Int($0) }.map { ($0, view) }
    }
    return Dictionary(views) { $1 }
  }

  private func wait(atMost limit: Duration, _ condition: () -> Bool) async {
    let end = ContinuousClock.now + limit
    while !condition(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)) }
  }
}
