/// A value of a file as it is written, before it is interpreted.
///
/// Aliases are what they stand for: the same storage, so that a tree is no larger than its text.
enum Node: Sendable {
  case scalar(Scalar)
  case sequence(Sequence)
  case mapping(Mapping)

  /// A text. What it means is for its reader to say: `on`, `no` and 0123 are texts.
  struct Scalar: Sendable {
    /// The way in which it is written, of which only the quotes matter.
    enum Style: Sendable {
      case plain
      case singleQuoted
      case doubleQuoted
      /// Lines after `|` or `>`.
      case block
    }

    var string: String
    var style: Style
    var location = SourceLocation.start
  }

  struct Sequence: Sendable {
    var items: [Node]
    var location: SourceLocation
  }

  /// Pairs in the order of the file, no key twice.
  struct Mapping: Sendable {
    var pairs: [(key: Node, value: Node)]
    var location: SourceLocation

    /// The value of a key.
    subscript(name: String) -> Node? { pairs.last { $0.key.scalar?.string == name }?.value }
  }

  /// The node's beginning.
  var location: SourceLocation {
    switch self {
    case .scalar(let scalar): scalar.location
    case .sequence(let sequence): sequence.location
    case .mapping(let mapping): mapping.location
    }
  }

  var scalar: Scalar? {
    guard case .scalar(let scalar) = self else { return nil }
    return scalar
  }
}

extension Node.Sequence: RandomAccessCollection {
  var startIndex: Int { items.startIndex }
  var endIndex: Int { items.endIndex }
  subscript(index: Int) -> Node { items[index] }
}

extension Node.Mapping: RandomAccessCollection {
  var startIndex: Int { pairs.startIndex }
  var endIndex: Int { pairs.endIndex }
  subscript(index: Int) -> (key: Node, value: Node) { pairs[index] }
}
