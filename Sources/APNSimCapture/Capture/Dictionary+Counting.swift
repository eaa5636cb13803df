extension [String: Int] {
  /// Counts one more of a name that a file gives; of very many names the first hundred.
  mutating func count(_ name: String) {
    if count < 100 || self[name] != nil { self[name, default: 0] += 1 }
  }
}
