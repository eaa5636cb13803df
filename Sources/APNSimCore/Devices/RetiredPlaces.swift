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

extension RetiredPlaces: Kept {
  func write(to state: inout StateWriter) {
    state.write(count: waiting.count)
    for (place, end) in waiting {
      switch place {
      case .registration(let index):
        state.write(raw: 0 as UInt8)
        state.write(raw: index)
      case .device(let index):
        state.write(raw: 1 as UInt8)
        state.write(raw: index)
      }
      state.write(raw: end)
    }
  }

  /// Whether there are such places is for the registry to say.
  init(reading state: inout StateReader) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let tag = try state.raw(UInt8.self)
      let index = try state.raw(UInt32.self)
      let place: Place
      switch tag {
      case 0: place = .registration(index)
      case 1: place = .device(index)
      default: throw state.error("the place of an app or a device was expected, and tag \(tag) found")
      }
      append(place, end: try state.raw(UInt64.self))
    }
  }

  /// All that wait, the longest first.
  var all: [Place] { waiting.map(\.place) }
}
