/// A number of bytes as people write it: `256MiB`, `1GiB`, `4194304`.
package enum ByteSize {
  private static let units: [(name: String, shift: Int)] = [("GiB", 30), ("MiB", 20), ("KiB", 10)]

  /// Nil for a text that is no whole number of bytes.
  package static func parse(_ text: String) -> Int? {
    for (name, shift) in units where text.hasSuffix(name) {
      guard let count = number(text.dropLast(name.count)), count <= Int.max >> shift else { return nil }
      return count << shift
    }
    return number(text[...])
  }

  private static func number(_ digits: Substring) -> Int? {
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits)
  }

  /// In the largest unit of which it is a whole number: `256MiB`.
  package static func text(_ count: Int) -> String {
    let unit = units.first { count > 0 && count & (1 << $0.shift - 1) == 0 }
    return unit.map { "\(count >> $0.shift)\($0.name)" } ?? "\(count)"
  }
}
