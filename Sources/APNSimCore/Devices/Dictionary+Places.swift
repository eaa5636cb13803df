/// Tables of facts that few places of a slab have: they are written in the order of the places.
extension Dictionary where Key == UInt32 {
  /// Calls `body` with all there is, in the order of the places. What a great part of the places has is not sorted, which
  /// would take long: each goes where its place says.
  func forEachInOrder(_ body: (UInt32, Value) -> Void) {
    guard let last = keys.max() else { return }
    guard count > Int(last) / 16 else {
      for (place, value) in sorted(by: { $0.key < $1.key }) { body(place, value) }
      return
    }
    var values = [Value?](repeating: nil, count: Int(last) + 1)
    for (place, value) in self { values[Int(place)] = value }
    for place in 0...last {
      if let value = values[Int(place)] { body(place, value) }
    }
  }

  func writeInOrder(to state: inout StateWriter) where Value: Kept {
    state.write(count: count)
    forEachInOrder { place, value in
      state.write(raw: place)
      value.write(to: &state)
    }
  }

  /// - Parameter count: there are places below it.
  init(inOrder state: inout StateReader, below count: UInt32) throws(StateError) where Value: Kept {
    let size = try state.count()
    self.init(minimumCapacity: Swift.min(size, 1 << 20))
    var next: UInt32 = 0
    for _ in 0..<size {
      let place = try state.place(below: count)
      guard place >= next else {
        throw state.error("a place from \(next) on was expected, and \(place) found")
      }
      next = place + 1
      self[place] = try Value(reading: &state)
    }
  }
}
