/// Counts values and depth of a parsed file with its aliases expanded, and stops at the first limit passed; stops as
/// well at a merge key, which would be a name of its own to everybody who reads on.
struct DocumentMeasure {
  private let mostValues: Int
  private let mostDepth: Int
  private var values = 0
  private var bytes = 0

  init(mostValues: Int, mostDepth: Int = DocumentLimits.depth) {
    (self.mostValues, self.mostDepth) = (mostValues, mostDepth)
  }

  /// The first problem; nil for a file that can be read on.
  mutating func check(_ node: Node, depth: Int = 0) -> DocumentProblem? {
    values += 1
    let location = node.location
    guard values <= mostValues else {
      return DocumentProblem(
        location: location,
        message:
          "more than \(mostValues) values once every alias is expanded"
      )
    }
    guard depth <= mostDepth else {
      return DocumentProblem(location: location, message: Self.tooDeep)
    }
    switch node {
    case .scalar(let scalar):
      bytes += scalar.string.utf8.count
      guard bytes <= DocumentLimits.scenario else {
        return DocumentProblem(
          location: location,
          message:
            "more than \(DocumentLimits.scenario >> 20) MiB once every alias is expanded"
        )
      }
      return nil
    case .sequence(let sequence):
      for item in sequence {
        if let problem = check(item, depth: depth + 1) { return problem }
      }
    case .mapping(let mapping):
      for (key, value) in mapping {
        if case .scalar(let name) = key, name.string == "<<", name.style == .plain {
          return DocumentProblem(
            location: key.location,
            length: 2,
            message: "merge keys (<<) are not supported: write out what they stand for"
          )
        }
        if let problem = check(key, depth: depth + 1) ?? check(value, depth: depth + 1) { return problem }
      }
    }
    return nil
  }

  static let tooDeep = "nested deeper than \(DocumentLimits.depth) lists and mappings"
}
