import DequeModule

/// Places of apps and devices that were removed while the history still tells of them: they are given to others only
/// when the last notification that may mean them has left it, so that what it says of a device stays true.
struct RetiredPlaces {
  enum Place {
    case registration(UInt32)
    case device(UInt32)
  }

  struct Waiting {
    let place: Place
    let end: UInt64
  }

  private var waiting: Deque<Waiting> = []

  /// - Parameter end: notifications from this number on cannot mean the place.
  mutating func append(_ place: Place, end: UInt64) { waiting.append(Waiting(place: place, end: end)) }

  /// The place that has waited longest, if it need not wait any more.
  /// - Parameters:
  ///   - first: the number of the oldest notification that the history has.
  ///   - most: as many may wait.
  mutating func next(from first: UInt64, most: Int) -> Place? {
    guard let oldest = waiting.first, oldest.end <= first || waiting.count > most else { return nil }
    return waiting.removeFirst().place
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// The devices that wait.
  var devices: [UInt32] {
    waiting.compactMap { if case .device(let device) = $0.place { device } else { nil } }
  }

  /// All that wait, the longest first.
  var all: [Place] { waiting.map(\.place) }
}

/// The registry checks that there are such places.
extension RetiredPlaces: KeptByMembers {
  static let members = Members(Self.init, \.waiting)
}

extension RetiredPlaces.Waiting: KeptByMembers {
  static let members = Members(Self.init, \.place, \.end)
}

extension RetiredPlaces.Place: KeptByCases {
  enum Tag: UInt8, CaseIterable { case registration, device }

  func write(to state: inout StateWriter) {
    switch self {
    case .registration(let place): state.write(Tag.registration, place)
    case .device(let place): state.write(Tag.device, place)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .registration: try state.read(Self.registration)
      case .device: try state.read(Self.device)
      }
  }
}
