internal import APNSimWire

/// Looking whether what a scenario expects is so.
extension World {
  func evaluate(_ expectation: Expectation) -> Expectation.Result {
    var nearMisses: [Expectation.NearMiss] = []
    let found: Int
    switch expectation.subject {
    case .notifications(let query):
      let views = (history.notifications.first..<history.notifications.end).map { view(of: $0) }
      found = views.filter(query.matches).count
      nearMisses = Self.nearMisses(views, query)
    case .inbox(let name, let query):
      let inbox = device(name).map { self.inbox(of: $0) } ?? []
      let views = inbox.filter { history.notifications.contains($0.number) }.map { view(of: $0.number) }
      found = query.conditions.isEmpty ? inbox.count : views.filter(query.matches).count
      nearMisses = Self.nearMisses(views, query)
    case .stored(let name):
      found = device(name).map { stored(for: $0).count } ?? 0
    case .feedback(let key):
      found = apps.reduce(0) { sum, app in key == nil || app.key == key ? sum + app.ledger.count : sum }
    case .badge(let name, let key):
      let apps = device(name).map { view(ofDevice: $0).apps } ?? []
      found = apps.first { key == nil || $0.app == key }.map { Int($0.badge) } ?? 0
    case .errors(let status, let identifier):
      let responses = connections.values.compactMap(\.error?.response)
      found =
        responses.filter { response in
          (status ?? response.status) == response.status
            && (identifier ?? response.identifier) == response.identifier
        }.count
    }
    let isSatisfied = expectation.count.holds(for: found)
    return Expectation.Result(
      expectation: expectation,
      isSatisfied: isSatisfied,
      found: found,
      time: now,
      nearMisses: isSatisfied ? [] : nearMisses
    )
  }

  /// An expectation of the timeline is due: its result is an event and stays until the end.
  mutating func check(_ expectation: Expectation) {
    let result = evaluate(expectation)
    expectationResults.append(result)
    emit(.expectation(text: expectation.text, isSatisfied: result.isSatisfied, found: result.found))
  }

  private func device(_ name: String) -> UInt32? { try? find(device: name) }

  /// The three that differ in the least, latest first among equals.
  private static func nearMisses(_ views: [NotificationView], _ query: Query) -> [Expectation.NearMiss] {
    views.suffix(10_000).reversed()
      .map { Expectation.NearMiss(id: $0.id, differences: query.differences(from: $0)) }
      .filter { !$0.differences.isEmpty && $0.differences.count < max(2, query.conditions.count) }
      .enumerated()
      .sorted { ($0.element.differences.count, $0.offset) < ($1.element.differences.count, $1.offset) }
      .prefix(3).map(\.element)
  }
}
