/// The waits of a simulator.
struct WaitBook {
  var waits: [Wait] = []
  /// Those to be told when the door is closed.
  private(set) var changed: [(Wait, Wait.Progress)] = []
  /// How often a notification was held against a wait, ever.
  var evaluations: UInt64 = 0

  @inline(__always)
  var hasReports: Bool { !changed.isEmpty }

  @inline(__always)
  var isEmpty: Bool { waits.isEmpty }

  mutating func noteChange(of wait: Wait) { changed.append((wait, wait.progress)) }

  mutating func takeReports() -> [(Wait, Wait.Progress)] {
    defer { changed = [] }
    return changed
  }
}
