import DequeModule

/// Places of apps and devices that were removed while the history still tells of them: they are given to others only
/// when the last notification that may mean them has left it, so that what it says of a device stays true.
struct RetiredPlaces {
  enum Place {
    case registration(UInt32)
    case device(UInt32)
  }

  private var waiting: Deque<(place: Place, end: UInt64)> = []

  init() {}

  /// - Parameter end: notifications from this number on cannot mean the place.
  mutating func append(_ place: Place, end: UInt64) { waiting.append((place, end)) }

  /// The place that has waited longest, if it need not wait any more.
  /// - Parameters:
  ///   - first: the number of the oldest notification that the history has.
  ///   - most: as many may wait.
  mutating func next(from first: UInt64, most: Int) -> Place? {
    guard let oldest = waiting.first, oldest.end <= first || waiting.count > most else { return nil }
    return waiting.removeFirst().place
  }

  /// The devices that wait.
  var devices: [UInt32] {
    waiting.compactMap { if case .device(let device) = $0.place { device } else { nil } }
  }
}
