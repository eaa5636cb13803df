import Synchronization

extension Simulator {
  /// A provider has connected to the gateway.
  /// - Throws: why it is turned away.
  package func openGateway(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> GatewayConnection {
    let opened: Result<GatewayConnection, TurnedAway> = enter(at: now) { world in
      guard !world.refusesForChurn(opening) else { return .failure(.churn) }
      guard let record = world.openGateway(opening) else { return .failure(.noRoom) }
      return .success(
        GatewayConnection(
          simulator: self,
          record: record,
          judge: world.judge,
          version: world.effects.judgeVersion
        )
      )
    }
    return try opened.get()
  }

  /// Brings a connection's judge up to date.
  func renew(_ judge: inout FrameJudge) {
    judge = withWorld { $0.judge }
  }

  /// Brings a connection's judge up to date, if what it goes by has changed.
  @inline(__always)
  func refresh(_ judge: inout FrameJudge, version: inout Int) {
    let current = judgeVersion.load(ordering: .acquiring)
    guard current != version else { return }
    judge = withWorld { $0.judge }
    version = current
  }
}
