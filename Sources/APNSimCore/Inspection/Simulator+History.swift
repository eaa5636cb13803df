/// Looking back through the history, from its end, and counting in it.
extension Simulator {
  /// The next notifications below a number, newest first: as many as are wanted, or fewer to let others in.
  /// - Parameters:
  ///   - number: `.max` for the end of the history.
  ///   - first: the lowest number to be looked at.
  package func notifications(
    before number: UInt64,
    downTo first: UInt64 = 1,
    limit: Int,
    matching query: CompiledQuery? = nil
  ) -> NotificationSlice {
    withWorld { world in
      let bottom = max(world.history.notifications.first, first)
      var next = max(min(number, world.history.notifications.end), bottom)
      let start = query?.stretchBackwards(bottom..<next, in: world).lowerBound ?? bottom
      var views: [NotificationView] = []
      while next > start, views.count < min(limit, 100) {
        let match = if let query { query.lastMatch(start..<next, in: world) } else { next - 1 as UInt64? }
        if let match { views.append(world.view(of: match)) }
        next = match ?? start
      }
      return NotificationSlice(views: views, next: next, isLast: next == bottom)
    }
  }

  /// The numbers of the notifications that the history has.
  package var numbers: Range<UInt64> {
    withWorld { $0.history.notifications.first..<$0.history.notifications.end }
  }

  /// Counts the notifications that match, of the first of these numbers, as many as may be looked at in one go.
  /// - Returns: the number to go on from as well; the end of the numbers where all were looked at.
  package func matches(among numbers: Range<UInt64>, _ query: CompiledQuery) -> (count: Int, next: UInt64) {
    withWorld { world in
      let kept = numbers.clamped(to: world.history.notifications.first..<world.history.notifications.end)
      guard !kept.isEmpty else { return (0, numbers.upperBound) }
      let stretch = query.stretch(kept, in: world)
      var count = 0
      query.forEachMatch(stretch, in: world) { _ in count += 1 }
      return (count, stretch.upperBound == kept.upperBound ? numbers.upperBound : stretch.upperBound)
    }
  }
}
