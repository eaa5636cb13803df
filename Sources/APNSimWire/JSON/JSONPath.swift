/// A dotted path into a tree. The offsets of its dots are computed once; following the path visits the members of
/// each object on the way once, however many dots there are. Names are compared byte by byte.
struct JSONPath {
  private let path: [UInt8]
  /// The offsets of the dots.
  private let dots: [Int]

  init(_ path: String) {
    let bytes = Array(path.utf8)
    self.path = bytes
    dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
  }

  func value(in tree: JSONValue) -> JSONValue? { value(in: tree, from: 0, dot: 0) }

  /// - Parameters:
  ///   - start: the offset at which the rest of the path begins.
  ///   - dot: the number of the first dot of the rest.
  private func value(in tree: JSONValue, from start: Int, dot: Int) -> JSONValue? {
    switch tree {
    case .array(let elements):
      guard let name = name(from: start, to: dot), let index = Int(String(decoding: name, as: UTF8.self)),
        elements.indices.contains(index)
      else { return nil }
      return value(after: dot, in: elements[index])
    case .object(let members):
      // The matching names by the dot they end at: equal names have equally many dots.
      var found: [Int: JSONValue] = [:]
      for member in members {
        let end = dot + member.key.utf8.count { $0 == UInt8(ascii: ".") }
        guard let name = name(from: start, to: end), member.key.utf8.elementsEqual(name) else { continue }
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
  private func name(from start: Int, to dot: Int) -> ArraySlice<UInt8>? {
    guard dot < dots.count else { return dot == dots.count ? path[start...] : nil }
    return path[start..<dots[dot]]
  }

  /// Follows the rest of the path from a value whose name ends at a dot.
  private func value(after dot: Int, in child: JSONValue) -> JSONValue? {
    guard dot < dots.count else { return child }
    return value(in: child, from: dots[dot] + 1, dot: dot + 1)
  }
}
