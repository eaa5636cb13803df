package import APNSimWire

extension RequestRules {
  /// The rules of requests by the quirks that are on, the only place where the one's names meet the other's, and by the
  /// generation of outcomes.
  init(_ configuration: Configuration) {
    self.init(
      quirks: Self.pairs.reduce(into: []) { if configuration.quirks.contains($1.0) { $0.insert($1.1) } }
    )
    if !configuration.rules.have(.broadcastPriority) {
      broadcastPriorities = PushType.liveactivity.row.priorities
    }
  }

  private static let pairs: [(APNSimCore.Quirks, RequestRules.Quirks)] = [
    (.backgroundPriority10, .backgroundPriority10), (.backgroundNeedsPriority, .backgroundNeedsPriority),
    (.documentedReasons, .documentedReasons), (.unknownChannelBad, .unknownChannelBad),
    (.contentTypeOnErrors, .contentTypeOnErrors),
  ]
}

extension RequestRules.Quirks: Kept {}
