/// Places of a slab, in order and each of them once. They are kept as ``KeptRows``.
struct KeptPlaces: Kept {
  let places: [UInt32]

  init(_ places: [UInt32]) { self.places = places }

  func write(to state: inout StateWriter) { KeptRows(places).write(to: &state) }

  init(reading state: inout StateReader) throws(StateError) {
    places = try KeptRows(reading: &state).records
    guard zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw state.error("places in order were expected")
    }
  }
}

extension StateReader {
  /// Expects places of a slab that has so many.
  func expect(_ places: some Sequence<UInt32>, below count: UInt32) throws(StateError) {
    for place in places where place >= count {
      throw error("a place below \(count) was expected, and \(place) found")
    }
  }
}
