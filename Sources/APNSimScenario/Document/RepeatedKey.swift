/// A key that a mapping has twice.
struct RepeatedKey {
  /// The key as it is written first, and where.
  let name: String
  let first: SourceLocation

  /// Nil where no key is there twice; of several the first in their order.
  /// - Parameter identity: what is compared of a key's text.
  init?<Identity: Hashable & Comparable>(
    in pairs: [(key: Node, value: Node)],
    comparing identity: (String) -> Identity
  ) {
    var keys: [Identity: Node.Scalar] = [:]
    keys.reserveCapacity(pairs.count)
    var repeated: Identity?
    for case (.scalar(let key), _) in pairs {
      let id = identity(key.string)
      if keys[id] == nil { keys[id] = key } else { repeated = min(id, repeated ?? id) }
    }
    guard let repeated, let key = keys[repeated] else { return nil }
    (name, first) = (key.string, key.location)
  }
}

extension DocumentProblem {
  /// The problem of a mapping that has a key twice.
  init(_ key: RepeatedKey, in source: SourceText) {
    let (name, first) = (key.name, key.first)
    guard let second = source.repetition(of: name, after: first) else {
      self.init(
        location: first,
        length: name.unicodeScalars.count,
        message: "duplicate key \"\(Value.shown(name))\""
      )
      return
    }
    self.init(
      location: second,
      length: name.unicodeScalars.count,
      message: source.hasExactly(name, on: second.line)
        ? "duplicate key \"\(Value.shown(name))\"; the first is on line \(first.line)"
        : "this key differs from the one on line \(first.line) only in how its characters are composed, which is told "
          + "apart in JSON and not in YAML: write the document as JSON"
    )
  }
}
