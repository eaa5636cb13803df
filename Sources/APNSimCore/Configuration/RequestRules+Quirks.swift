package import APNSimWire

extension RequestRules {
  /// The rules of requests under the quirks that are on: the only place where the one's names meet the other's.
  package init(_ quirks: APNSimCore.Quirks) {
    self.init(quirks: Self.pairs.reduce(into: []) { if quirks.contains($1.0) { $0.insert($1.1) } })
  }

  private static let pairs: [(APNSimCore.Quirks, RequestRules.Quirks)] = [
    (.backgroundPriority10, .backgroundPriority10), (.backgroundNeedsPriority, .backgroundNeedsPriority),
    (.documentedReasons, .documentedReasons), (.unknownChannelBad, .unknownChannelBad),
    (.contentTypeOnErrors, .contentTypeOnErrors),
  ]
}

extension RequestRules.Quirks: Kept {}
