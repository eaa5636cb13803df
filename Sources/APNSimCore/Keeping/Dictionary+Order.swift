extension Dictionary where Key: Comparable {
  /// Calls `body` with all there is, in the order of the keys.
  func forEachInOrder(_ body: (Key, Value) -> Void) {
    if let elements = byPlace {
      for case let (key, value)? in elements { body(key, value) }
    } else {
      for (key, value) in sorted(by: { $0.key < $1.key }) { body(key, value) }
    }
  }

  /// The values where they are of a great part of a slab's places, each where its place says: sorting them would take long. Nil for all else.
  private var byPlace: [Element?]? {
    guard Key.self == UInt32.self, let last = keys.max().map({ Self.place($0) }), count > last / 16 else {
      return nil
    }
    var elements = [Element?](repeating: nil, count: last + 1)
    for element in self { elements[Self.place(element.key)] = element }
    return elements
  }

  private static func place(_ key: Key) -> Int { Int(unsafeBitCast(key, to: UInt32.self)) }
}
