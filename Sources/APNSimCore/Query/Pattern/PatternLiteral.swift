/// The longest text that stands in whatever an expression finds: a text without it need not be searched.
struct PatternLiteral {
  /// In ASCII; empty where nothing must stand anywhere.
  private(set) var longest: [UInt8] = []
  private var current: [UInt8] = []

  init(_ tree: PatternProgram.Tree) {
    read(tree)
    cut()
  }

  /// Goes over what is found, from left to right. The depth is that of the expression's parentheses.
  private mutating func read(_ tree: PatternProgram.Tree) {
    switch tree {
    case .empty, .start, .end: break
    case .scalars(let scalars):
      if let scalar = scalars.single, scalar.isASCII, !scalars.ignoresCase {
        current.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        cut()
      }
    case .sequence(let parts): for part in parts { read(part) }
    case .either: cut()
    case .repeated(let tree, let least, let most):
      if least > 0 { read(tree) }
      if least != 1 || most != 1 { cut() }
    }
  }

  /// Ends a literal: what follows need not follow directly.
  private mutating func cut() {
    if current.count > longest.count { longest = current }
    current.removeAll()
  }
}
