import Synchronization

extension Simulator {
  /// A provider has connected to the gateway.
  /// - Throws: why it is turned away.
  package func openGateway(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> GatewayConnection {
    let record = try submit(GatewayOpening(opening: opening), at: now).get()
    // The judge may change right away: the version is that of no later judge than the one it gets.
    let version = judgeVersion.load(ordering: .acquiring)
    return GatewayConnection(simulator: self, record: record, judge: withWorld { $0.judge }, version: version)
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
