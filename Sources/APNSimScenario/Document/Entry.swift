import Yams

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

  /// As `entries`, where none would say nothing.
  func someEntries(_ expected: String) -> [Entry] {
    if isNull || isEmptyMapping {
      mismatch(expected)
      return []
    }
    return entries(expected)
  }
}
