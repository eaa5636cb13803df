import Yams

/// Counts values and depth of a parsed file with its aliases expanded, and stops at the first limit passed.
struct DocumentMeasure {
  private var values = 0

  /// The problem of the first value past a limit; nil for a file within them.
  mutating func check(_ node: Node, depth: Int = 0) -> Problem? {
    values += 1
    let location = SourceLocation(node.mark)
    guard values <= DocumentLimits.values else {
      return Problem(
        location: location,
        message:
          "more than \(DocumentLimits.values) values once every alias is replaced by what it stands for"
      )
    }
    guard depth <= DocumentLimits.depth else {
      return Problem(
        location: location,
        message: "nested deeper than \(DocumentLimits.depth) lists and mappings"
      )
    }
    switch node {
    case .scalar, .alias:
      return nil
    case .sequence(let sequence):
      for item in sequence {
        if let problem = check(item, depth: depth + 1) { return problem }
      }
    case .mapping(let mapping):
      for (key, value) in mapping {
        if let problem = check(key, depth: depth + 1) ?? check(value, depth: depth + 1) { return problem }
      }
    }
    return nil
  }
}

extension SourceLocation {
  init(_ mark: Mark?) {
    self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
  }
}
