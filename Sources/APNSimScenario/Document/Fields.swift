import APNSimWire

/// A mapping whose keys are the format's: reports keys that it does not know and gives out the others.
struct Fields {
  let value: Value
  private let subject: String
  let keys: [String]
  private let noun: Noun
  private var values: [String: Value] = [:]

  /// - Parameters:
  ///   - noun: the mapping with its keys.
  ///   - subject: what it is in messages, where that is not the noun's own.
  /// - Returns: nil after reporting that the value is no mapping.
  init?(_ value: Value, of noun: Noun, as subject: String? = nil) {
    let subject = subject ?? noun.subject
    (self.value, self.noun, self.subject, keys) = (value, noun, subject, noun.keys)
    guard case .mapping = value.node else {
      value.mismatch("\(subject) with \(Enumeration.of(keys))")
      return nil
    }
    for entry in value.entries(subject) {
      if !keys.contains(entry.name) {
        entry.key.report(
          "unknown key \"\(Value.shown(entry.name))\" in \(subject); known keys: \(Enumeration.and(keys))",
          suggestion: NearestName.find(entry.name, among: keys)
        )
      } else if !entry.value.isNull || noun.nullable.contains(entry.name) {
        values[entry.name] = entry.value
      } else if value.problems.isStrict {
        entry.value.mismatch("a value for \"\(entry.name)\"")
      }
    }
  }

  /// The value of a key; nil when it is missing or empty.
  subscript(key: String) -> Value? {
    assert(keys.contains(key), "\(key) is in no table of \(subject)")
    return values[key]
  }

  /// The value of a key that has to be there.
  func require(_ key: String) -> Value? {
    if let found = values[key] { return found }
    assert(noun.demands(key), "\(key) is not required by the table of \(subject)")
    value.report("\(subject) needs the key \"\(key)\"")
    return nil
  }

  /// A whole number in the range that the table has for the key.
  /// - Parameter name: what it is in messages; the key where nothing else is said.
  func integer(_ key: String, _ name: String? = nil) -> Int? {
    guard let value = self[key] else { return nil }
    guard case .integer(let range)? = noun.row(key)?.kind else {
      assertionFailure("\(key) is no number in the table of \(subject)")
      return nil
    }
    return value.integer(name ?? key, range)
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
