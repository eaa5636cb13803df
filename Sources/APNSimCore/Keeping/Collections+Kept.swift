import DequeModule

extension Deque: Kept where Element: Kept {
  func write(to state: inout StateWriter) {
    state.write(count: count)
    for element in self { element.write(to: &state) }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let count = try state.count()
    self = []
    reserveCapacity(Swift.min(count, 65_536))
    for _ in 0..<count { append(try Element(reading: &state)) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Copies records that were written as rows.
  init(_ rows: StateRows<Element>) {
    self.init(unsafeUninitializedCapacity: rows.count) { room, count in
      if let place = room.baseAddress { rows.copy(0..<rows.count, to: place) }
      count = rows.count
    }
  }
}
