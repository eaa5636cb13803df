/// A dotted path into a tree. Where its dots are is found out once; what it leads to is found by going over the members
/// of the objects on the way, however many dots there are.
struct JSONPath {
  private let path: String
  /// The places of the dots; nil for one that is part of a longer character, which separates nothing.
  private let dots: [String.Index?]

  init(_ path: String) {
    self.path = path
    var dots: [String.Index?] = []
    for place in path.indices {
      if path[place] == "." {
        dots.append(place)
      } else if path[place].utf8.contains(UInt8(ascii: ".")) {
        dots.append(nil)
      }
    }
    self.dots = dots
  }

  func value(in tree: JSONValue) -> JSONValue? { value(in: tree, from: path.startIndex, dot: 0) }

  /// - Parameters:
  ///   - start: where the rest of the path begins.
  ///   - dot: which dot is the first of the rest.
  private func value(in tree: JSONValue, from start: String.Index, dot: Int) -> JSONValue? {
    switch tree {
    case .array(let elements):
      guard let name = name(from: start, to: dot), let index = Int(name), elements.indices.contains(index)
      else { return nil }
      return value(behind: dot, in: elements[index])
    case .object(let members):
      // The names that the rest begins with, by the dots they end at: names that are the same have equally many.
      var found: [Int: JSONValue] = [:]
      for member in members {
        let end = dot + member.key.utf8.count { $0 == UInt8(ascii: ".") }
        guard let name = name(from: start, to: end), member.key == name else { continue }
        found[end] = member.value
      }
      for (end, child) in found.sorted(by: { $0.key > $1.key }) {
        if let value = value(behind: end, in: child) { return value }
      }
      return nil
    case .null, .bool, .number, .string: return nil
    }
  }

  /// The rest of the path up to a dot, or all of it; nil where no name can end.
  private func name(from start: String.Index, to dot: Int) -> Substring? {
    guard dot < dots.count else { return dot == dots.count ? path[start...] : nil }
    return dots[dot].map { path[start..<$0] }
  }

  /// What the path leads to from a value whose name ends at a dot.
  private func value(behind dot: Int, in child: JSONValue) -> JSONValue? {
    guard dot < dots.count, let end = dots[dot] else { return child }
    return value(in: child, from: path.utf8.index(after: end), dot: dot + 1)
  }
}
