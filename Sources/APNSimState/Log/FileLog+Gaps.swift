import Synchronization

extension FileLog {
  /// True while nothing can be kept.
  var isShort: Bool { short.load(ordering: .relaxed) }

  /// True if an input found no room and is in no snapshot yet.
  var hasGap: Bool { gapped.load(ordering: .relaxed) }

  /// True if there is a segment to go on in.
  var hasRoom: Bool { shared.withLock { $0.next != nil } }

  /// Goes on after a gap, when a snapshot that was taken at a mark is in place. The simulator is suspended.
  /// - Returns: false if more found no room since, or there is no segment to go on in.
  func closeGap(_ mark: LogMark) -> Bool {
    guard gapped.load(ordering: .relaxed) else { return true }
    return shared.withLock { $0.gaps } == mark.gaps && closeGapAnew(mark)
  }

  private func closeGapAnew(_ mark: LogMark) -> Bool {
    guard let next = shared.withLock({ $0.next.take() }) else { return false }
    guard begin(next, after: mark.number) else {
      giveUp(next)
      return false
    }
    // More that found no room in between makes it a gap again.
    return shared.withLock { shared in
      guard shared.gaps == mark.gaps else { return false }
      gapped.store(false, ordering: .releasing)
      return true
    }
  }

  /// Takes entries again.
  func endShortage() { short.store(false, ordering: .relaxed) }
}
