package import APNSimCore

/// A set of a capture's connections, such as those that have ended and that a later line does not open again.
///
/// Connections are numbered in the order in which they come, so that a few runs of numbers hold them all.
package struct ConnectionNumbers {
  private var runs: [ClosedRange<UInt32>] = []
  /// The most runs, which no real capture reaches; beyond it the lower half becomes one run with its gaps.
  private static let most = 65_536

  package init() {}

  package func contains(_ id: ConnectionID) -> Bool {
    let place = place(of: id.rawValue)
    return place < runs.count && runs[place].lowerBound <= id.rawValue
  }

  package mutating func insert(_ id: ConnectionID) {
    let number = id.rawValue
    let place = place(of: number)
    if place < runs.count, runs[place].lowerBound <= number { return }
    let joinsLower = place > 0 && number - runs[place - 1].upperBound == 1
    let joinsUpper = place < runs.count && runs[place].lowerBound - number == 1
    switch (joinsLower, joinsUpper) {
    case (true, true):
      runs[place - 1] = runs[place - 1].lowerBound...runs[place].upperBound
      runs.remove(at: place)
    case (true, false): runs[place - 1] = runs[place - 1].lowerBound...number
    case (false, true): runs[place] = number...runs[place].upperBound
    case (false, false):
      runs.insert(number...number, at: place)
      guard runs.count > Self.most else { return }
      let half = runs.count / 2
      let lower = runs[0].lowerBound...runs[half].upperBound
      runs.replaceSubrange(0...half, with: [lower])
    }
  }

  /// The first run that does not end before a number.
  private func place(of number: UInt32) -> Int { runs.partitioningIndex { $0.upperBound >= number } }
}
