/// A mapping whose keys are the format's: reports keys that it does not know and gives out the others.
struct Fields {
  let value: Value
  private let subject: String
  private var values: [String: Value] = [:]

  /// - Parameters:
  ///   - subject: what the mapping is, for messages: `a device`.
  ///   - keys: every key it may have, the most common first.
  ///   - nullable: those of which null is a value.
  /// - Returns: nil after reporting that the value is no mapping.
  init?(_ value: Value, of subject: String, keys: [String], nullable: [String] = []) {
    self.value = value
    self.subject = subject
    guard case .mapping = value.node else {
      value.mismatch("\(subject) with \(Enumeration.of(keys))")
      return nil
    }
    for entry in value.entries(subject) {
      if !keys.contains(entry.name) {
        entry.key.report(
          "unknown key \"\(entry.name)\" in \(subject); known keys: \(Enumeration.and(keys))",
          suggestion: NearestName.find(entry.name, among: keys)
        )
      } else if !entry.value.isNull || nullable.contains(entry.name) {
        values[entry.name] = entry.value
      } else if value.problems.isStrict {
        entry.value.mismatch("a value for \"\(entry.name)\"")
      }
    }
  }

  /// The value of a key; nil when it is missing or empty.
  subscript(key: String) -> Value? { values[key] }

  /// The value of a key that has to be there.
  func require(_ key: String) -> Value? {
    if values[key] == nil { value.report("\(subject) needs the key \"\(key)\"") }
    return values[key]
  }
}

/// One `name: value` of a mapping whose names are the user's (devices, apps, settings).
struct Entry {
  let name: String
  /// The name as a value, for problems with the name itself.
  let key: Value
  let value: Value
}

extension Value {
  /// The entries of a mapping in the order of the file; nothing for an empty value.
  func entries(_ expected: String) -> [Entry] {
    if isNull, !problems.isStrict { return [] }
    guard case .mapping(let mapping) = node else {
      mismatch(expected)
      return []
    }
    return mapping.compactMap { pair in
      let key = Value(node: pair.key, problems: problems)
      guard let name = key.scalar else {
        key.mismatch("a name as the key")
        return nil
      }
      return Entry(name: name, key: key, value: Value(node: pair.value, problems: problems))
    }
  }

  /// The entries of a mapping that must not be empty.
  func someEntries(_ expected: String) -> [Entry] {
    if isNull || isEmptyMapping {
      mismatch(expected)
      return []
    }
    return entries(expected)
  }
}
