/// A dotted path into a tree. The offsets of its dots are computed once; following the path visits the members of
/// each object on the way once, however many dots there are.
struct JSONPath {
  private let path: String
  /// The indices of the dots; nil for a dot that is part of a longer grapheme cluster, which separates nothing.
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
  ///   - start: the index at which the rest of the path begins.
  ///   - dot: the number of the first dot of the rest.
  private func value(in tree: JSONValue, from start: String.Index, dot: Int) -> JSONValue? {
    switch tree {
    case .array(let elements):
      guard let name = name(from: start, to: dot), let index = Int(name), elements.indices.contains(index)
      else { return nil }
      return value(after: dot, in: elements[index])
    case .object(let members):
      // The matching names by the dot they end at: equal names have equally many dots.
      var found: [Int: JSONValue] = [:]
      for member in members {
        let end = dot + member.key.utf8.count { $0 == UInt8(ascii: ".") }
        guard let name = name(from: start, to: end), member.key == name else { continue }
        found[end] = member.value
      }
      for (end, child) in found.sorted(by: { $0.key > $1.key }) {
        if let value = value(after: end, in: child) { return value }
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

  /// Follows the rest of the path from a value whose name ends at a dot.
  private func value(after dot: Int, in child: JSONValue) -> JSONValue? {
    guard dot < dots.count, let end = dots[dot] else { return child }
    return value(in: child, from: path.utf8.index(after: end), dot: dot + 1)
  }
}
