extension JSONValue {
  /// The first misplaced key of a payload, `aps` before what is outside of it.
  package var misplacedKey: MisplacedKey? {
    let aps = member("aps")
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
        return MisplacedKey(path: prefix + key, meant: "\(meant)")
      }
    }
    return nil
  }
}
