import APNSimWire

/// Checking what a scenario expects.
extension World {
  func evaluate(_ expectation: Expectation) -> Expectation.Result {
    /// The notifications that may have been meant, and the query that they should fit.
    var (candidates, wanted): ([UInt64], Query) = ([], Query())
    let found: Int
    var missed: UInt64 = 0
    switch expectation.subject {
    case .notifications(let query):
      let numbers = history.notifications.first..<history.notifications.end
      found = count(numbers, query)
      missed = history.missing(from: 1, before: history.notifications.end)
      (candidates, wanted) = (numbers.suffix(Self.mostCandidates), query)
    case .inbox(let name, let query):
      let inbox = device(name).map { deliveries(to: $0) } ?? (kept: [], missed: 0)
      let numbers = inbox.kept.map { history.deliveries[$0.ordinal].notification }
        .filter { history.notifications.contains($0) }
      // Where something is asked of them, those whose notification is gone cannot be looked at either.
      let isAsked = !query.conditions.isEmpty
      found = isAsked ? count(numbers, query) : inbox.kept.count
      missed = inbox.missed + (isAsked ? UInt64(inbox.kept.count - numbers.count) : 0)
      (candidates, wanted) = (numbers.suffix(Self.mostCandidates), query)
    case .stored(let name):
      found = device(name).map { stored(for: $0).count } ?? 0
    case .feedback(let key):
      found = apps.reduce(0) { sum, app in key == nil || app.key == key ? sum + app.ledger.count : sum }
    case .badge(let name, let key):
      let apps = device(name).map { view(ofDevice: $0).apps } ?? []
      found = apps.first { key == nil || $0.app == key }.map { Int($0.badge) } ?? 0
    case .activities(let name):
      let shown = device(name).map { activities.activities(of: $0) } ?? []
      found = shown.count { $0.state(at: now) != .dismissed }
    case .ignored(let name):
      found = device(name).map { activities.ignored(of: $0).count } ?? 0
    case .errors(let status, let identifier):
      let responses = connections.all.compactMap { $0.gateway?.error?.response }
      found =
        responses.filter { response in
          (status ?? response.status) == response.status
            && (identifier ?? response.identifier) == response.identifier
        }.count
      missed = connections.forgottenErrors
    }
    // A notification that has not come to its end may be what is missing.
    var unfinished: [NearMiss] = []
    if case .notifications(let query) = expectation.subject, found < expectation.count.atLeast ?? 0 {
      unfinished = unfinishedFrames(for: query)
    }
    let count = expectation.count
    let isSatisfied = count.isKnown(missing: missed) && count.holds(for: found)
    return Expectation.Result(
      expectation: expectation,
      isSatisfied: isSatisfied,
      found: found,
      missed: missed,
      time: now,
      nearMisses: isSatisfied ? [] : Array((unfinished + nearMisses(candidates, wanted)).prefix(3))
    )
  }

  /// An expectation of the timeline is due: its result is an event and stays until the end.
  mutating func check(_ expectation: Expectation) {
    let result = evaluate(expectation)
    timeline.note(result)
    emit(.expectation(text: expectation.text, isSatisfied: result.isSatisfied, found: result.found))
  }

  private func device(_ name: String) -> UInt32? { try? find(device: name) }

  /// Among so many notifications, the last ones, near misses are looked for.
  private static var mostCandidates: Int { 10_000 }

  /// The number of these notifications that match. Everybody waits meanwhile, so no views are made of them.
  private func count(_ numbers: some Sequence<UInt64>, _ query: Query) -> Int {
    let compiled = CompiledQuery(query)
    return numbers.count { compiled.matches(history.notifications[$0], in: self) }
  }

  /// The three that differ in the least, latest first among equals.
  private func nearMisses(_ numbers: [UInt64], _ query: Query) -> [NearMiss] {
    let conditions = query.conditions.map { CompiledQuery(Query([$0])) }
    return numbers.reversed().enumerated()
      .map { (order: $0, number: $1, differences: differences($1, conditions)) }
      .filter { $0.differences > 0 && $0.differences < max(2, conditions.count) }
      .sorted { ($0.differences, $0.order) < ($1.differences, $1.order) }
      .prefix(3)
      .map { miss in
        let view = view(of: miss.number)
        return NearMiss(id: view.id, differences: query.differences(from: view))
      }
  }

  /// The number of conditions that do not hold for a notification.
  private func differences(_ number: UInt64, _ conditions: [CompiledQuery]) -> Int {
    conditions.count { !$0.matches(history.notifications[number], in: self) }
  }
}
