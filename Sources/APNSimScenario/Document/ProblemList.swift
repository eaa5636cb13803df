/// Collects what is wrong in one file while it is read, so that one run reports it all.
///
/// Bounded: past `limit` problems are only counted.
final class ProblemList {
  let source: SourceText
  private(set) var problems: [Problem] = []
  private(set) var omitted = 0
  private static let limit = 20

  init(source: SourceText) { self.source = source }

  func add(_ problem: Problem) {
    if problems.count < Self.limit { problems.append(problem) } else { omitted += 1 }
  }

  /// - Throws: `DocumentError` when anything was added.
  func throwIfAny() throws(DocumentError) {
    guard !problems.isEmpty else { return }
    throw DocumentError(
      source: source,
      problems: problems.sorted { $0.location < $1.location },
      omitted: omitted
    )
  }
}
