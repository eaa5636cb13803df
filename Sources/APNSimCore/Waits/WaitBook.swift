/// The waits of a simulator, and what is to be reported of them.
struct WaitBook {
  private(set) var waits: [Wait] = []
  /// Reports to be made once the lock is open.
  private var reports: [(Wait, Wait.Progress)] = []
  /// The number of times that a notification was tested by a wait, since the start.
  private(set) var evaluations: UInt64 = 0

  @inline(__always)
  var isEmpty: Bool { waits.isEmpty }

  @inline(__always)
  var hasReports: Bool { !reports.isEmpty }

  mutating func add(_ wait: Wait) { waits.append(wait) }

  mutating func remove(_ wait: Wait) { waits.removeAll { $0 === wait } }

  mutating func countEvaluations(_ count: Int) { evaluations &+= UInt64(count) }

  /// Lets a wait's progress be reported.
  mutating func report(_ wait: Wait) { reports.append((wait, wait.progress)) }

  mutating func takeReports() -> [(Wait, Wait.Progress)] {
    defer { reports = [] }
    return reports
  }

  /// Lets every wait go on in a new beginning, with nothing counted.
  /// - Parameter number: the first notification that can count.
  mutating func beginAnew(from number: UInt64) {
    for wait in waits {
      wait.beginAnew(from: number)
      report(wait)
    }
  }
}
