extension Simulator {
  /// The advice for one provider, or for all in their order.
  /// - Parameters:
  ///   - wall: the wall time, by which open connections wait too long; nil leaves these out.
  ///   - atEnd: true where no provider will send anything any more.
  package func advice(for provider: AppKey? = nil, at wall: Timestamp? = nil, atEnd: Bool = false) -> [Advice]
  {
    withWorld { world in
      let apps = world.apps.filter { provider == nil || $0.key == provider }
      let waiting = wall.map { world.connectionsWithinFrame(at: $0) } ?? [:]
      return apps.flatMap { app in
        app.diligence.advice(
          for: app.key,
          waiting: waiting[app.key].map { (count: $0, at: world.now) },
          end: atEnd ? world.now : nil
        )
      }.sorted()
    }
  }
}
