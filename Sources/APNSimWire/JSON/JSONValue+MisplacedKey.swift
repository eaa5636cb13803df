extension JSONValue {
  /// The misplaced keys of a payload, those in `aps` before those outside of it.
  package var misplacedKeys: [MisplacedKey] {
    let aps = member("aps")
    var found: [MisplacedKey] = []
    let levels: [(level: Int, prefix: String, value: JSONValue?)] = [
      (2, "aps.", aps), (3, "aps.alert.", aps?.member("alert")), (1, "", self),
    ]
    for (level, prefix, value) in levels {
      for member in value?.objectValue ?? [] {
        var key = member.key
        guard
          let meant = key.withUTF8({
            MisplacedKey.meaning(of: UnsafeRawBufferPointer($0), level: level)
          }),
          !(level == 1 && MisplacedKey.isOptional(key) && aps?.member(key) != nil)
        else { continue }
        found.append(MisplacedKey(path: prefix + key, meant: "\(meant)"))
      }
    }
    return found
  }
}
