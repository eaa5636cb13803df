import APNSimCore
import APNSimWire

/// The reason why a connection was not compared, or not to its end.
package enum Uncompared: CaseIterable, Sendable {
  /// Some of it is missing from the capture.
  case gaps
  /// The capture does not have what came back.
  case unseen
  /// The service has answered or ended it in the replay, and the capture does not show its end: it was reset or broke,
  /// or the capture ends too soon after.
  case open
  /// Its feedback list is one that the capture does not explain.
  case unexplained
}

/// The findings of a comparison.
package struct ComparisonTally<Difference: Sendable>: Sendable {
  /// The number of connections on which nothing differed.
  package private(set) var same = 0
  /// The number of differences.
  package private(set) var differences: UInt64 = 0
  /// The first of them, as many as are kept.
  package private(set) var kept: [Difference] = []
  private let mostKept: Int
  /// True where the capture has answers to compare with.
  package var hasRecordedAnswers = false
  /// The number of connections that were not compared, by the reason.
  package private(set) var uncompared: [Uncompared: Int] = [:]

  package init(mostKept: Int) { self.mostKept = mostKept }

  package var isSame: Bool { differences == 0 }

  package var firstDifference: Difference? { kept.first }

  /// True where the answers to every provider could be compared.
  package var comparesEverything: Bool { uncompared.isEmpty }

  /// - Parameter count: the number of differences, of which this is the first.
  package mutating func add(_ difference: Difference, count: Int = 1) {
    differences.add(saturating: UInt64(count))
    if kept.count < mostKept { kept.append(difference) }
  }

  package mutating func addSame() { same += 1 }

  package mutating func add(_ reason: Uncompared, connections: Int = 1) {
    uncompared[reason, default: 0] += connections
  }
}
