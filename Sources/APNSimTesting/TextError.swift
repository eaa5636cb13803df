import APNSimScenario

extension APNSimulator {
  /// A scenario, a rule or a query that is not understood.
  ///
  /// `description` has a compiler's form, with a caret under the place:
  ///
  /// ```text
  /// scenario:2:3: error: unknown key "device"; …
  /// ```
  public struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One mistake, and where it is.
    public struct Mistake: Hashable, Sendable {
      /// From 1.
      public let line: Int
      /// From 1, in Unicode scalars.
      public let column: Int
      /// The expectation and what was found.
      public let message: String
      /// The known name closest to the one found.
      public let suggestion: String?
    }

    /// The mistakes in the order of the text: as many as are worth telling.
    public let mistakes: [Mistake]
    public let description: String

    init(_ error: DocumentError) {
      mistakes = error.problems.map {
        Mistake(
          line: $0.location.line,
          column: $0.location.column,
          message: $0.message,
          suggestion: $0.suggestion
        )
      }
      description = error.description
    }
  }
}
