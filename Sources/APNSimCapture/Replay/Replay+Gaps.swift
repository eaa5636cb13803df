internal import APNSimCore

/// Where lines of a capture are missing, or say what this program does not know.
extension Replay {
  /// Lines are missing before the present one. Stopping there may look ahead in the file, which a notification's line
  /// does not outlive: it is taken as an entry.
  @inline(__always)
  var isAtGap: Bool { !reader.gaps.isEmpty && !isBehindGap }

  func stopComparing() {
    flush()
    stopComparingJournal()
    for name in connections.keys.sorted() {
      if let lastTime { connections[name]?.settleAnswers(by: lastTime) }
      if let connection = connections[name], connection.isComparable, !connection.isUnexplained,
        connection.answers.hasParted
      {
        differ(connection)
      }
    }
    isBehindGap = true
  }

  /// The recorded journal has something that this program does not know, and cannot write: from here on the verdicts
  /// are compared instead of its lines.
  func stopComparingJournal() {
    guard result.comparesJournal else { return }
    flush()
    if let lastTime {
      simulator.wake(at: simulator.wall(showing: lastTime))
      noteDueAnswers(at: lastTime)
    }
    journal.comparison.settle()
    guard journal.comparison.parting == nil else { return }
    journal.comparison.stop()
    result.comparesJournal = false
    followsVerdicts = true
  }
}
