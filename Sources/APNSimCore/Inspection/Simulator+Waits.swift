import APNSimWire

extension Simulator {
  /// Begins a wait: what comes from here on is counted as it comes, what came before by `lookBack`.
  /// - Parameters:
  ///   - interest: which changes are worth telling; the end of the look back and a new beginning always are.
  ///   - report: told of them, outside the lock, from whatever thread made them.
  package func wait(
    for query: Query,
    from start: WaitStart,
    interest: Wait.Interest = .each,
    report: @escaping @Sendable (Wait.Progress) -> Void
  ) -> (wait: Wait, end: UInt64) {
    withWorld { world in
      let end = world.history.notifications.end
      let first: UInt64 =
        switch start {
        case .reset: 1
        case .after(let number): number &+ 1
        case .now: end
        }
      let wait = Wait(query, from: first, interest: interest, report: report)
      world.waits.add(wait)
      return (wait, end)
    }
  }

  /// Counts what came before a wait, a stretch a call so that nobody waits long for the lock.
  /// - Parameters:
  ///   - number: where to go on; 1 at first.
  ///   - end: what `wait` returned.
  /// - Returns: where to go on, nil when all has been looked at.
  package func lookBack(_ wait: Wait, from number: UInt64, before end: UInt64) -> UInt64? {
    let (next, reports) = withWorld { world in
      (world.lookBack(wait, from: number, before: end), world.waits.takeReports())
    }
    Wait.tell(reports)
    return next
  }

  /// Ends the look back for want of time: the rest has been missed.
  package func stopLookingBack(_ wait: Wait, from number: UInt64, before end: UInt64) {
    let reports = withWorld { world in
      world.stopLookingBack(wait, from: number, before: end)
      return world.waits.takeReports()
    }
    Wait.tell(reports)
  }

  /// Ends a wait; nothing is reported any more, but for what is on its way.
  package func end(_ wait: Wait) { withWorld { $0.waits.remove(wait) } }

  /// A wait's progress, the first notifications that matched, and the number from which on they could.
  package func result(
    of wait: Wait
  ) -> (progress: Wait.Progress, notifications: [NotificationView], first: UInt64) {
    withWorld { world in
      let numbers = wait.numbers.filter { world.history.notifications.contains($0) }
      return (wait.progress, numbers.map { world.view(of: $0) }, wait.first)
    }
  }

  /// The number of waits.
  package var waitCount: Int { withWorld { $0.waits.waits.count } }

  /// The number of times that notifications were held against waits, ever: the work that waits make.
  package var waitEvaluations: UInt64 { withWorld { $0.waits.evaluations } }

  /// Connections that wait for the rest of a frame, the newest with a malformed request, and the notifications nearest to a query among the last so many, best first, latest first among equals; among fewer
  /// where the query takes long.
  package func nearMisses(
    _ query: Query,
    from number: UInt64,
    most: Int = 3,
    among count: UInt64 = 1000
  ) -> [NearMiss] {
    let (end, unfinished) = withWorld { world in
      let malformed = world.malformedRequest().map { [$0] } ?? []
      return (world.history.notifications.end, world.unfinishedFrames(for: query, most: most) + malformed)
    }
    let long = CompiledQuery(query).steps(forBytes: 4096)
    let count = min(count, UInt64(max(20, 50 * CompiledQuery.stretch / long)))
    var next = max(number, end > count ? end - count : 1)
    var found: [NearMiss] = []
    while next < end {
      let slice = notifications(from: next, limit: 100)
      guard slice.next > next else { break }
      next = slice.next
      for view in slice.views.reversed() {
        let differences = query.differences(from: view)
        guard !differences.isEmpty else { continue }
        found.append(NearMiss(id: view.id, differences: differences))
      }
      found = Array(
        found.enumerated()
          .sorted { left, right in
            let (one, other) = (left.element.differences.count, right.element.differences.count)
            return one == other ? Self.number(left.element.id) > Self.number(right.element.id) : one < other
          }
          .prefix(most).map(\.element)
      )
    }
    return Array((unfinished + found).prefix(most)).map(withCause)
  }

  /// A near miss whose authorization was refused, with the cause.
  private func withCause(_ miss: NearMiss) -> NearMiss {
    guard miss.id.hasPrefix("n"), let cause = refusedAuthorization(of: Self.number(miss.id)) else {
      return miss
    }
    var miss = miss
    miss.differences.append(
      Query.Difference(path: "authorization", expected: "good", actual: .string(cause))
    )
    return miss
  }

  /// The cause for which the authorization of a request was refused, as its explanation has it; nil where it was not.
  package func refusedAuthorization(of number: UInt64) -> String? {
    notification(number)?.explanations.first { !$0.isPassed && $0.check == RequestCheck.authorization.name }?
      .detail
  }

  private static func number(_ id: String) -> UInt64 { UInt64(id.dropFirst()) ?? 0 }
}
