extension Simulator {
  /// The rules in the order they are tried: those added last first.
  package func rules() -> [RuleView] { withWorld { $0.book.views(at: $0.now) } }

  /// The state that the script is in; empty at first.
  package var scriptState: String { withWorld { $0.book.state } }
}
