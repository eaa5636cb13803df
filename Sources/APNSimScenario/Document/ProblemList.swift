/// Collects what is wrong in one file while it is read, so that one run reports it all.
///
/// Bounded: past `limit` problems are only counted.
final class ProblemList {
  let source: SourceText
  /// True where values have the types of JSON. In a YAML file `"5"` is a number where one is asked for, 5 is a text,
  /// `yes` is true, and null is a missing value.
  let isStrict: Bool
  /// True for a command that a simulator wrote (``Value/accepts(_:)``).
  let isRecorded: Bool
  private(set) var problems: [DocumentProblem] = []
  private(set) var omitted = 0
  private static let limit = 20

  init(source: SourceText, isStrict: Bool = false, isRecorded: Bool = false) {
    (self.source, self.isStrict, self.isRecorded) = (source, isStrict, isRecorded)
  }

  /// Adds a problem, which is evaluated only where it is listed, because looking for the nearest name is slow.
  func add(_ problem: @autoclosure () -> DocumentProblem) {
    if problems.count < Self.limit { problems.append(problem()) } else { omitted += 1 }
  }

  /// Adds what is wrong in a part of the same text.
  func add(_ other: ProblemList) {
    for problem in other.problems { add(problem) }
    omitted += other.omitted
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
