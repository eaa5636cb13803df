extension [String: Int] {
  /// Counts one more of a name that a file gives; only the first hundred names are counted.
  mutating func count(_ name: String) {
    if count < 100 || self[name] != nil { self[name, default: 0] += 1 }
  }
}
