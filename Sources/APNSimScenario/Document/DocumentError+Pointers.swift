extension DocumentError {
  /// The same error with a JSON pointer (RFC 6901) for the place of each problem.
  package func pointed(in text: String) -> DocumentError {
    guard !isUnread, let root = try? Document.node(of: text, in: source) else { return self }
    let problems = problems.map { problem in
      var problem = problem
      problem.pointer = Self.pointer(to: problem.location, in: root, "", depth: 0)
      return problem
    }
    return DocumentError(source: source, problems: problems, omitted: omitted)
  }

  private static func pointer(
    to location: SourceLocation,
    in node: Node,
    _ path: String,
    depth: Int
  ) -> String? {
    if node.location == location { return path }
    guard depth < DocumentLimits.depth else { return nil }
    switch node {
    case .scalar: return nil
    case .sequence(let sequence):
      for (index, item) in sequence.enumerated() {
        if let found = pointer(to: location, in: item, "\(path)/\(index)", depth: depth + 1) { return found }
      }
    case .mapping(let mapping):
      for (key, value) in mapping {
        let name = key.scalar?.string ?? ""
        let escaped = name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
          .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        let inner = "\(path)/\(escaped)"
        if key.location == location { return inner }
        if let found = pointer(to: location, in: value, inner, depth: depth + 1) { return found }
      }
    }
    return nil
  }
}
