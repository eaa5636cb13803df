import APNSimCore
import APNSimWire

/// Why a connection was not compared, or not to its end.
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

/// What a comparison found.
package struct ComparisonTally: Sendable {
  package private(set) var differences: UInt64 = 0
  package private(set) var firstDifference: ReplayResult.Difference?
  /// True where the capture has answers to compare with.
  package var hasRecordedAnswers = false
  /// The number of connections that were not compared, by the reason.
  package private(set) var uncompared: [Uncompared: Int] = [:]

  package var isSame: Bool { differences == 0 }

  /// True where the answers to every provider could be compared.
  package var comparesEverything: Bool { uncompared.isEmpty }

  mutating func add(_ difference: ReplayResult.Difference) {
    differences += 1
    if firstDifference == nil { firstDifference = difference }
  }

  mutating func add(_ reason: Uncompared) { uncompared[reason, default: 0] += 1 }

  /// Adds what became of requests.
  mutating func add(_ streams: StreamComparison, on connection: ConnectionID) {
    differences.add(saturating: UInt64(streams.differenceCount))
    guard firstDifference == nil, let first = streams.differences.first else { return }
    firstDifference = ReplayResult.Difference(content: .request(first), connection: connection)
  }
}
