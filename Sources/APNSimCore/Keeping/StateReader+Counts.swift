extension StateReader {
  /// Takes a number that counts on from here. One that nothing could have counted to is refused, so that counting on does
  /// not come to its end.
  mutating func counted<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(StateError) -> Number {
    let number = try raw(Number.self)
    try expectCounted(number)
    return number
  }

  /// Expects numbers that count on from here.
  func expectCounted<Number: FixedWidthInteger>(_ numbers: Number...) throws(StateError) {
    for number in numbers where number < 0 || number > Number.max / 2 {
      throw error("nothing has counted to \(number)")
    }
  }

  /// Takes a place of a slab that has so many.
  mutating func place(below count: UInt32) throws(StateError) -> UInt32 {
    let place = try raw(UInt32.self)
    guard place < count else { throw error("a place below \(count) was expected, and \(place) found") }
    return place
  }

  /// Takes places of a slab, in order and each of them once.
  mutating func places(below count: UInt32) throws(StateError) -> [UInt32] {
    let places = Array(try rows(UInt32.self))
    if let last = places.last, last >= count {
      throw error("places below \(count) were expected, and \(last) found")
    }
    guard zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw error("places in order were expected")
    }
    return places
  }
}

extension StateWriter {
  /// Writes places of a slab.
  mutating func write(places: [UInt32]) { places.withUnsafeBufferPointer { write(rows: $0) } }
}
